"""The search threads: admission, queues, and the execution of searches."""
