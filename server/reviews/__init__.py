"""Reviews over gRPC."""
