"""Reviews of finished games: was it luck, information or play?"""
