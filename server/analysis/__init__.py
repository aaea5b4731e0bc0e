"""AnalysisService: its requests, their budgets and their answers."""
