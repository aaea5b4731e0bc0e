"""LadderService: ladders that the server plays in separate processes."""
