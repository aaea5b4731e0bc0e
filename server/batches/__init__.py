"""BatchService: batches of tasks, run in the slots that calls leave."""
