"""Tasks, which are pure functions with a key, and the executors that run them."""
