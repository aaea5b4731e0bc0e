"""Lines of A Knight's Duty for the tests of its notation."""

from __future__ import annotations

from kingmaker.cext.games.knights_duty import KnightsDuty
from tests.cext.notations import View, read_line

GAME = KnightsDuty(players="6")


def view_of(line: str) -> View:
    """The view of a line, which is written as it stands."""
    game, state = read_line(KnightsDuty, line)
    assert game.text(state) == line
    return game.view(state)


NEW = "kd t1 0.place p1 4,-4/F/n/u/...;-4,4/F/n/u/... -"
PLACE = "kd t3 0.place p2 0,0/F/n/u/SSM;1,0/F/n/u/B..;2,0/B/n/d/..x -"
CLAN = "kd;clans=choose t1 0.clan p2 4,-4/F/n/u/...;-/F/n/u/...;-/F/n/u/... -"
STEP = "kd t2 1.step p3 0,0/F/n/d/MEE;1,0/F/n/d/SEE;2,0/F/n/d/MEE m1=ne"
CLAIM = "kd t2 1.claim p2 1,0/F/S/d/MSS;-1,0/F/B/u/MBB m1=w;m2=e;c1=y"
TARGET = "kd t2 1.target p2 0,0/F/S/d/SMM;1,0/F/P/d/PMM;0,1/F/B/d/BMM a1=n;a2;a3"
ORDER = "kd t2 1.order p2 0,0/F/S/d/SMM;1,0/F/P/d/PMM;0,1/F/B/d/BMM a1=3;a2=3;a3=1;o1=w"
INSPIRE = "kd t3 2.inspire p2 0,0/F/S/u/SSM;2,0/F/P/u/PPM q1>2;q2>1;ia=y"
FIRST = "kd t3 2.inspire p1 0,0/F/S/u/SSM;2,0/F/P/u/PMM q1>2"
DRAW = "kd t2 1.draw chance 0,0/F/S/u/SMM;1,0/F/P/d/PMM;0,1/F/B/d/BMM q2>3;q3>1;w1;ia=y"
SHIELD = "kd t2 1.draw chance 0,0/F/B/d/BMM;1,0/F/P/d/HMM q1>2;ia=y"
SLOT_3 = "kd t2 3.target p1 0,0/B/S/d/MSS;1,0/X/P/d/PMM;3,0/B/n/u/MEx a1"
END = "kd t5 2.end - out;2,0/F/S/d/SHY r=0,1"
DRAWN = "kd t5 2.end - out;out;out r=1/2,0,1/2"
LIMIT = "kd;turn_limit=3 t3 3.end - 1,0/F/S/d/SSM;4,0/B/B/u/BMx;out r=1/2,1/2,0"
VALID = [
    NEW, PLACE, CLAN, STEP, CLAIM, TARGET, ORDER, INSPIRE, FIRST, DRAW, SHIELD, SLOT_3, END, DRAWN,
    LIMIT,
]  # fmt: skip
