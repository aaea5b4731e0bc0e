"""AnalysisService: its requests, what they may spend, and their answers."""
