"""The games that the adapters offer: those with features and numbered actions."""

from __future__ import annotations

from kingmaker.cext.games import GAMES
from tests.random_play import VARIANTS

FEATURED = [name for name, kind in GAMES.items() if kind().num_features]
FEATURED_VARIANTS = [variant for variant in VARIANTS if variant.name in FEATURED]
