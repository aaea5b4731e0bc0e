"""The services over HTTP: Connect, gRPC-Web and plain JSON on one port, and the page."""
