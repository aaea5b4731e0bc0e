"""BotService: programs of other people that play through the server."""
