"""Facts of Leduc poker for the tests that run over every game."""

from __future__ import annotations

from tests.facts.facts import Facts

FACTS = Facts(
    # 6 x 5 deals. Without fold or end a round has 1, 2, 5, 5, 2 strings of length 0 to 4, of
    # which 0, 0, 2, 2, 1 are called (cc rc, crc rrc, crrc). So there are 30 x (1, 2, 5, 5, 2)
    # sequences of length 2 to 6 in round one, and 4 boards after each called one: 240, 240, 120
    # sequences of length 5, 6, 7 that end with the board, each with 1, 2, 5, 5, 2 continuations.
    node_counts=[
        1,
        6,
        30,
        30 * 2,
        30 * 5,
        30 * 5 + 240,
        30 * 2 + 240 * (2 + 1),
        240 * (5 + 2) + 120,
        240 * (5 + 5) + 120 * 2,
        240 * (2 + 5) + 120 * 5,
        240 * 2 + 120 * 5,
        120 * 2,
        0,
    ],
    information_sets=[468, 468],  # docs/rules/leduc_poker.md, R3.2
    small_options=({},),
    chance_nodes=(
        "leduc p1=_ p2=_ board=_ bets=-/- node=deal:p1",
        "leduc p1=jh p2=_ board=_ bets=-/- node=deal:p2",
        "leduc p1=kh p2=js board=_ bets=crrc/- node=deal:board",
    ),
    uniform_playouts=(
        "leduc p1=_ p2=_ board=_ bets=-/- node=deal:p1",
        "leduc p1=js p2=_ board=_ bets=-/- node=deal:p2",
        "leduc p1=js p2=qh board=_ bets=cr/- node=play:p1",
        "leduc p1=js p2=qh board=kh bets=cc/r node=play:p2",
        "leduc p1=js p2=qh board=_ bets=rrc/- node=deal:board",
    ),
    counted_worlds=(
        ("leduc p1=? p2=_ board=_ bets=-/- node=deal:p2 @p2", 6),
        ("leduc p1=? p2=qh board=_ bets=r/- node=play:p2 @p2", 5),
        ("leduc p1=js p2=? board=kh bets=cc/rr node=play:p1 @p1", 4),
        ("leduc p1=? p2=? board=_ bets=cr/- node=play:p1 @-", 6 * 5),
        ("leduc p1=? p2=? board=qs bets=cc/rf node=end @-", 5 * 4),
    ),
    grammar=[
        (("fold", "call", "raise"),),
        (("deal:",), ("js", "jh", "qs", "qh", "ks", "kh", "?")),
    ],
    least_refusals=(400, 7),
)
