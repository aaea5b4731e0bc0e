"""The gRPC service; app.py has its life cycle, proto/kingmaker/v1 its contract."""

import os

# gRPC's C core writes to standard error by itself, within calls: a line for each failed handshake
# and so on. An unread pipe would then stop those calls. It reads this when it is imported.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
