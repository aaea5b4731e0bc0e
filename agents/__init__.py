"""Kingmaker for agents that are language models: tools over the Model Context Protocol (MCP)."""
