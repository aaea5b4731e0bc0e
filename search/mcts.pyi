from typing import final

from .searcher import Searcher

@final
class MctsSearcher(Searcher): ...
