"""The search threads: who may search now, who waits, and how a search runs on them."""
