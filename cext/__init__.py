"""The engine contract and the rules of the games; knows nothing of search or service."""
