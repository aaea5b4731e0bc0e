"""The value of a position by expectimax, with all hands open: a proof, bounds or an estimate."""

from __future__ import annotations

import math

from kingmaker.cext.errors import InputError
from kingmaker.cext.game import Game
from kingmaker.cext.words import counted

from .analysis import Bound, StopReason
from .expectimax import Expectimax
from .feasibility import Feasibility
from .solution import LIMIT_WORDS, InfeasibleError, Limits, Method, Solution, SolvedMove

GENEROSITY = 1000.0
"""Transpositions make a tree smaller than its estimate, so a proof is refused at once only if its
best case exceeds the limits by this factor."""
GLANCE_NODES = 5000
"""Positions visited before an infeasible tree is refused: one move may win at once."""
BOUNDED_SEAT = 0  # bounds are for the win share of p1, whichever seat decides


class ProofTask:
    """A run of the methods EXACT or LIMITED; see `Solver`.

    Args:
        game: the rules.
        state: a full state.
        limits: time, nodes and memory.
        method: EXACT or LIMITED.
        depth: plies to search; None: as deep as the limits allow.
    """

    def __init__(
        self, game: Game, state: bytes, limits: Limits, method: Method, depth: int | None
    ) -> None:
        self._game = game
        self._state = state
        self._limits = limits
        self._method = method
        self._depth = depth
        self._kernel: Expectimax | None = None
        self._is_cancelled = False
        self._is_glance_enough = False
        self._feasibility = Feasibility(game, state, limits)

    def run(self, deadline_ns: int) -> StopReason:
        """Continue the search until the clock shows `deadline_ns`; 0: to the end."""
        kernel = self._kernel or self._begin()
        if self._is_glance_enough:
            return StopReason.SOLVED
        code = kernel.run(self._limits.nodes or 0, deadline_ns)
        end = StopReason.SOLVED if kernel.bound is Bound.EXACT else StopReason.DEPTH
        return (StopReason.TIME, StopReason.NODES, end, StopReason.CANCELLED)[code]

    def cancel(self) -> None:
        """End `run`; callable from any thread."""
        self._is_cancelled = True
        self._feasibility.cancel()
        if self._kernel is not None:
            self._kernel.cancel()

    def solution(self, reason: StopReason | None, seconds: float) -> Solution:
        """Return the result so far; `run` must have been called.

        Raises:
            InfeasibleError: a limit ended the method EXACT without a proof.
        """
        kernel = self._kernel
        assert kernel is not None
        solution = Solution(
            method=self._method,
            values=tuple(kernel.values()),
            bound=kernel.bound,
            open_hands=self._game.is_hidden,
            moves=self._moves(kernel),
            depth=kernel.depth,
            nodes=kernel.nodes,
            seconds=seconds,
            memory_bytes=kernel.memory_bytes,
            stop_reason=reason,
        )
        if self._method is Method.EXACT and reason in LIMIT_WORDS and not solution.is_exact:
            raise self._unproven(solution, LIMIT_WORDS[reason])
        return solution

    def _begin(self) -> Expectimax:
        if self._method is Method.EXACT:
            self._feasibility.measure()
        options = {"depth": self._depth, "seat": BOUNDED_SEAT}
        try:
            kernel = Expectimax(self._game, self._state, options, self._limits.memory_bytes)
        except InputError as error:  # the memory is below the minimum of this game
            raise InfeasibleError(str(error)) from None
        if self._method is Method.EXACT:
            self._check_feasibility(kernel)
        self._kernel = kernel
        if self._is_cancelled:  # by another thread, before it could see the kernel
            kernel.cancel()
        return kernel

    def _moves(self, kernel: Expectimax) -> tuple[SolvedMove, ...]:
        mover = self._game.node_of(self._state)
        if mover < 0:
            return ()
        text = self._game.move_text
        ranked = sorted(
            kernel.moves(), key=lambda each: (-each[1][mover], each[2] is not Bound.EXACT)
        )
        return tuple(
            SolvedMove(
                move=text(move),
                probability=float(rank == 0),
                values=tuple(values),
                bound=bound,
                line=tuple(map(text, line)),
            )
            for rank, (move, values, bound, line) in enumerate(ranked)
        )

    def _check_feasibility(self, kernel: Expectimax) -> None:
        """Refuse a tree whose best case is infeasible, unless a short search proves the value.

        For two seats the best case is that of alpha-beta, the square root of the tree (Knuth and
        Moore 1975).
        """
        histories, allowed = self._feasibility.num_histories, self._feasibility.most_nodes
        best = math.sqrt(histories) if self._game.num_seats == 2 else histories
        if best > GENEROSITY * allowed:
            kernel.run(min(GLANCE_NODES, self._limits.nodes or GLANCE_NODES), 0)
            self._is_glance_enough = kernel.bound is Bound.EXACT
            if self._is_glance_enough:
                return
            raise InfeasibleError(
                f"a proof is infeasible: about {histories:.1e} histories follow (estimate), of "
                f"which even the best case visits {best:.1e}, and the limits allow {allowed:.1e}; "
                "use the method limited, or a position nearer to the end",
                {"estimated_histories": f"{histories:.3e}"},
            )

    def _unproven(self, solution: Solution, limit: str) -> InfeasibleError:
        assert solution.bound is not None
        return InfeasibleError(
            f"no proof was found before the end of its {limit}, after "
            f"{counted(solution.nodes, 'position')} and "
            f"{counted(solution.depth, 'completed ply', 'completed plies')}, where about "
            f"{self._feasibility.num_histories:.1e} histories follow (estimate); allow more, or "
            "use the method limited",
            {
                "estimated_histories": f"{self._feasibility.num_histories:.3e}",
                "nodes": f"{solution.nodes}",
                "depth": f"{solution.depth}",
                "bound": solution.bound.value,
                "values": " ".join(f"{value:.6f}" for value in solution.values),
            },
            solution,
        )
