"""The gRPC service; app.py has its life cycle, proto/kingmaker/v1 its contract."""
