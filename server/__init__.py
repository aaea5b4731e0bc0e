"""The gRPC service; see app.py for how it lives and proto/kingmaker/v1 for what it offers."""
