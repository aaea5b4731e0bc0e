"""Kingmaker's games in the interfaces of other projects: PettingZoo, Gymnasium and OpenSpiel.

Each adapter needs its own extra, for example `pip install "kingmaker[pettingzoo]"`, and works for
every game with features and numbered actions, those of other packages included.
"""
