"""The pictures of the README: `python -m tests.pictures` makes them anew."""
