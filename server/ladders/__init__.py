"""LadderService: ladders that the server plays in processes of their own."""
