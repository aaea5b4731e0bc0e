"""All figures with their descriptions, as in `kingmaker bench` and docs/benchmarks.md.

A new one is a function and an entry of `MEASUREMENTS` here: `timed` for work that pyperf times,
`Measurement` for anything else.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from . import (
    batches,
    coherence,
    endgames,
    exploit,
    instructions,
    memory,
    peers,
    python_peer,
    rpc,
    solvers,
    speed,
    strength,
    tree,
    works,
)
from .figures import Measurement, timed
from .measure import Work, count, per_second, seconds_per, speedup


def _cfr(
    game: str, nash_conv: str, ours: Callable[[], Work], theirs: Callable[[], Work]
) -> Measurement:
    return timed(
        ours,
        {
            f"{game}.cfr.seconds_to_{nash_conv}": (
                seconds_per("solves"),
                f"CFR+ from the rules to a NashConv of {nash_conv} chips, tree included",
            ),
            f"{game}.cfr.vs_open_spiel": (
                speedup("solves"),
                "the same against the iterations of `CFRPlusSolver`, its checks not counted",
            ),
        },
        theirs,
    )


def _game(
    game: str, seats: str, playouts: Callable[[], Work], ismcts: Callable[[], Work]
) -> tuple[Measurement, ...]:
    return (
        timed(
            playouts,
            {
                f"{game}.playouts_per_s.{seats}": (
                    per_second("playouts"),
                    "whole games by the playout policy, deal included",
                ),
                f"{game}.plies_per_playout.{seats}": (
                    count("plies", per="playouts"),
                    "their length",
                ),
                f"{game}.ns_per_ply.{seats}": (
                    seconds_per("plies", scale=1e9),
                    "their time",
                ),
            },
        ),
        timed(
            ismcts,
            {
                f"{game}.ismcts.sims_per_s.{seats}": (
                    per_second("simulations"),
                    "20,000 simulations in a middle game",
                )
            },
        ),
    )


MEASUREMENTS: tuple[Measurement, ...] = (
    timed(
        works.connect_four_mcts,
        {
            "connect_four.mcts.sims_per_s": (
                per_second("simulations"),
                "first move, 10,000 simulations, one random playout each",
            ),
            "connect_four.mcts.vs_open_spiel": (
                speedup("simulations"),
                "the same against `MCTSBot`, `uct_c=2`",
            ),
        },
        peers.connect_four_mcts,
    ),
    timed(
        works.connect_four_playouts,
        {
            "connect_four.playouts_per_s": (
                per_second("playouts"),
                "random games from the empty board",
            ),
            "connect_four.playouts.vs_open_spiel": (
                speedup("playouts"),
                "the same against `RandomRolloutEvaluator`",
            ),
        },
        peers.connect_four_playouts,
    ),
    timed(
        works.connect_four_expectimax,
        {
            "connect_four.expectimax.nodes_per_s": (
                per_second("nodes"),
                "5,000,000 states entered from the empty board on, leaves and table hits "
                "included, table of 16 MB",
            )
        },
    ),
    Measurement(
        {
            "connect_four.expectimax.instructions_per_node": "machine instructions for each of "
            "these states, counted by callgrind; needs valgrind"
        },
        partial(instructions.expectimax, "connect_four"),
        is_long=True,
    ),
    timed(
        works.leduc_poker_ismcts,
        {
            "leduc_poker.ismcts.sims_per_s": (
                per_second("simulations"),
                "10,000 simulations at 8 decisions of random games",
            ),
            "leduc_poker.ismcts.vs_open_spiel": (
                speedup("simulations"),
                "the same against `ISMCTSBot`, `uct_c=2`",
            ),
        },
        peers.leduc_poker_ismcts,
    ),
    timed(
        works.hearts_ismcts,
        {
            "hearts.ismcts.sims_per_s": (
                per_second("simulations"),
                "10,000 simulations at 8 plays of a random game, early to late tricks",
            ),
            "hearts.ismcts.vs_open_spiel": (
                speedup("simulations"),
                "the same against `ISMCTSBot`, `uct_c=2`",
            ),
        },
        peers.hearts_ismcts,
    ),
    Measurement(
        {
            "hearts.ismcts.share_visited_10": "part of the nodes with 10 visits or more after "
            "these simulations, of all nodes of the 8 trees"
        },
        tree.hearts_ismcts,
    ),
    timed(
        works.hearts_playouts,
        {
            "hearts.playouts_per_s": (
                per_second("playouts"),
                "whole games by the playout policy, deal and pass included",
            ),
            "hearts.playouts.vs_open_spiel": (
                speedup("playouts"),
                "the same against `evaluate_bots` with uniform random bots",
            ),
        },
        peers.hearts_playouts,
    ),
    _cfr("kuhn_poker", "1e-4", solvers.kuhn_poker_cfr, solvers.open_spiel_kuhn_poker_cfr),
    _cfr("leduc_poker", "1e-3", solvers.leduc_poker_cfr, solvers.open_spiel_leduc_poker_cfr),
    timed(
        solvers.leduc_poker_iterations,
        {
            "leduc_poker.cfr.iterations_per_s": (
                per_second("iterations"),
                "1,000 iterations at a time, checks of NashConv included",
            )
        },
    ),
    *(
        Measurement(
            {
                f"{game}.search_nashconv": "NashConv in chips of `ismcts` with a tree for each "
                "seat, 10,000 simulations at every information set; mean of three seeds"
            },
            partial(solvers.search_nash_conv, game),
            is_long=True,
        )
        for game in solvers.CHIPS
    ),
    *_game(
        "kingdom_coinquest",
        "2p",
        works.kingdom_coinquest_playouts_2p,
        works.kingdom_coinquest_ismcts_2p,
    ),
    *_game(
        "kingdom_coinquest",
        "4p",
        works.kingdom_coinquest_playouts_4p,
        works.kingdom_coinquest_ismcts_4p,
    ),
    *_game(
        "code_of_chivalry",
        "2p",
        works.code_of_chivalry_playouts_2p,
        works.code_of_chivalry_ismcts_2p,
    ),
    *_game(
        "code_of_chivalry",
        "6p",
        works.code_of_chivalry_playouts_6p,
        works.code_of_chivalry_ismcts_6p,
    ),
    *_game(
        "knights_duty",
        "2p",
        works.knights_duty_playouts_2p,
        works.knights_duty_ismcts_2p,
    ),
    *_game(
        "knights_duty",
        "6p",
        works.knights_duty_playouts_6p,
        works.knights_duty_ismcts_6p,
    ),
    *_game(
        "knaves_out",
        "2p",
        works.knaves_out_playouts_2p,
        works.knaves_out_ismcts_2p,
    ),
    *_game(
        "knaves_out",
        "4p",
        works.knaves_out_playouts_4p,
        works.knaves_out_ismcts_4p,
    ),
    *_game(
        "knaves_out",
        "8p",
        works.knaves_out_playouts_8p,
        works.knaves_out_ismcts_8p,
    ),
    Measurement(
        {
            "knaves_out.horizon.own_turn": "part of 100,000 simulations, some 1.6 s, whose "
            "path in the tree passes the end of the own turn, or of the game, at the beginnings of "
            "8 turns of two seats; the spread is that over the turns",
            "knaves_out.horizon.reply": "the same for the end of the rival's next turn",
        },
        tree.knaves_out_horizon,
    ),
    timed(
        works.chessault_playouts,
        {
            "chessault.playouts_per_s": (
                per_second("playouts"),
                "whole games by the playout policy, setup included",
            ),
            "chessault.plies_per_playout": (count("plies", per="playouts"), "their length"),
            "chessault.ns_per_ply": (seconds_per("plies", scale=1e9), "their time"),
        },
    ),
    timed(
        works.chessault_mcts,
        {
            "chessault.mcts.sims_per_s": (
                per_second("simulations"),
                "20,000 simulations in a middle game",
            )
        },
    ),
    timed(
        works.chessault_expectimax,
        {
            "chessault.expectimax.nodes_per_s": (
                per_second("nodes"),
                "2,000,000 states entered from a middle game on, leaves and table hits included, "
                "table of 16 MB",
            )
        },
    ),
    Measurement(
        {
            "chessault.expectimax.instructions_per_node": "machine instructions for each of these "
            "states, counted by callgrind; needs valgrind"
        },
        partial(instructions.expectimax, "chessault"),
        is_long=True,
    ),
    timed(
        works.chessault_perft,
        {
            "chessault.perft.nodes_per_s": (
                per_second("nodes"),
                "every move and outcome of a middle game made, six plies deep",
            )
        },
    ),
    *(
        timed(
            work,
            {
                f"bots.{work.__name__.removesuffix('_bot')}.sims_per_s": (
                    per_second("simulations"),
                    "whole answers of 1,000 simulations, from an observation to a move",
                )
            },
        )
        for work in (
            works.kingdom_coinquest_bot,
            works.code_of_chivalry_bot,
            works.knights_duty_bot,
            works.hearts_bot,
        )
    ),
    *(
        timed(
            ours,
            {
                f"{game}.vs_open_spiel_python.speedup": (
                    speedup("simulations"),
                    "simulations a second of `ismcts` against OpenSpiel's `ISMCTSBot` in Python "
                    "through the adapter, in the same positions",
                )
            },
            theirs,
        )
        for game, (ours, theirs) in python_peer.RACES.items()
    ),
    *(
        Measurement(
            {
                f"{game}.vs_open_spiel_python.share_at_equal_simulations": "win share of `ismcts` "
                f"against that bot, {simulations} simulations a move each; standard error",
                f"{game}.vs_open_spiel_python.share_at_equal_time": "the same if ours has the time "
                "that its moves take; standard error",
            },
            partial(python_peer.measure_matches, game),
            is_long=True,
        )
        for game, (_, simulations, _) in python_peer.MATCHES.items()
    ),
    timed(
        works.net_evaluation,
        {
            "net.ns_per_evaluation": (
                seconds_per("evaluations", scale=1e9),
                "a net of 256 -> 32 -> 16 -> 1 for one seat, 40 active features",
            )
        },
    ),
    Measurement(
        {"threads.speedup_2": "simulations a second of two threads against one, wall clock"},
        speed.threads,
    ),
    Measurement({"cancel.median_ms": "from a cancel to the end of the search loop"}, speed.cancel),
    Measurement(rpc.FIGURES, rpc.measure),
    Measurement(batches.FIGURES, batches.measure),
    Measurement(
        {
            "memory.search_60s.ratio_to_limit": "growth of the process in a search of 60 s over "
            "the limit of 64 MB"
        },
        memory.measure,
    ),
    *(
        Measurement(
            {
                endgames.FIGURE.format(game=game): "mean win share that a move of the default "
                "loses in 200 late positions that are solved, 50 ms a move; standard error"
            },
            partial(endgames.measure, game),
        )
        for game in endgames.GAMES
    ),
    *(
        Measurement(
            {
                f"strength.kingdom_coinquest.{name}": f"win share of `{first}` against "
                f"`{second}`, two seats, 50 ms a move; standard error"
            },
            partial(strength.measure, name),
            is_long=True,
        )
        for name, (first, second) in strength.MATCHES.items()
    ),
    *(
        Measurement(
            {
                name: f"points a game of `{first}` below the mean of the table, against three "
                f"`{second}`, 1,000 simulations a move; standard error"
            },
            partial(strength.measure_hearts, name),
            is_long=True,
        )
        for name, (first, second) in strength.HEARTS_MATCHES.items()
    ),
    Measurement(
        {
            "knights_duty.exploit.match.mixed": "win share of `ismcts`, 10,000 simulations "
            "a move, in duels with a rival that knows its policy; standard error",
            "knights_duty.exploit.match.likeliest": "the same if it always plays the likeliest "
            "move; standard error",
            "knights_duty.exploit.match.gain": "gain of mixing in it; standard error",
        },
        exploit.measure_match,
        is_long=True,
    ),
    *(
        Measurement(
            {
                f"knights_duty.exploit.{name}.mixed": "gain of best responders that know the "
                "policy of `ismcts` in this duel, 10,000 simulations at every information set; "
                "mean of both seats",
                f"knights_duty.exploit.{name}.likeliest": "the same if it always plays the "
                "likeliest move",
            },
            partial(exploit.measure_duel, name),
            is_long=True,
        )
        for name in exploit.DUELS
    ),
    *(
        Measurement(
            {
                f"knights_duty.mixing.{name}": "total variation between the equilibrium and the "
                "policy for the first token, 20,000 simulations; mean of three seeds"
            },
            partial(exploit.measure_root, name),
            is_long=True,
        )
        for name in exploit.MIXED
    ),
    *(
        Measurement(
            {f"coherence.{group}.{name}": about for name, about in coherence.ABOUT.items()},
            partial(coherence.measure, group),
            is_long=True,
        )
        for group in coherence.GROUPS
    ),
)

ABOUT: dict[str, str] = {
    name: about for each in MEASUREMENTS for name, about in each.figures.items()
}
"""Descriptions of the figures, in the order of measurement."""
