from typing import final

from .seat_trees import SeatTreesSearcher

@final
class GrowingTreeSearcher(SeatTreesSearcher): ...
