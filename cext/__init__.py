"""The engine contract and the rules of the games; independent of search and service."""
