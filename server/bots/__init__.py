"""BotService: external programs that play through the server."""
