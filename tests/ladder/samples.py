"""Made-up games for the tests of store and files: nobody played them, but each field is used."""

from __future__ import annotations

from kingmaker.ladder.model import Bot, Cause, GameRecord, GameTask, MoveRecord, TimeControl

BOTS = (Bot("careful", "ismcts:time=100ms,threads=1"), Bot("hasty", "random"))


def sample_task(index: int) -> GameTask:
    """Task `index` of an endless ladder of two bots; seeds need more than 63 bits."""
    rotation = index % 2
    return GameTask(
        game="leduc_poker",
        options=(("players", "2"),),
        bots=(BOTS[rotation], BOTS[1 - rotation]),
        group=f"g{index // 2}",
        rotation=rotation,
        deal_seed=2**64 - 1 - index // 2,
        seed=2**70 + index,
        clock=TimeControl(move_ms=50, game_ms=None, increment_ms=0.1),
        rules_version="1.0",
        max_plies=1000,
    )


def sample_record(index: int, num_plies: int = 6) -> GameRecord:
    """The game that was played for task `index`; times are fractions that no decimal can tell."""
    return GameRecord(
        task=sample_task(index),
        moves=tuple(MoveRecord(ply % 3, f"bet:{ply}", ply / 3) for ply in range(num_plies)),
        end=f"leduc bets={index} node=end",
        returns=(1 / 3, 2 / 3),
        cause=Cause.FINISHED,
        culprit=0,
        detail="",
        thinking_ms=(100 / 3, 0.1),
        wall_ms=0.1 + 0.2,
        finished_at="2026-01-02T03:04:05.678901+00:00",
    )
