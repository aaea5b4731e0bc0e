"""What the server tells its operator: metrics, traces and the ids of calls."""
