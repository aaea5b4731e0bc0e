"""A training from nothing to a net: rounds of self-play, fit and gate.

In each round the latest net and the best one so far (at first `Game.evaluate` is both) play games,
a new net is fitted to those of the latest rounds, and plays mirrored groups against the best one.
If it wins by more than the standard error, it is the best one from then on. A net that loses plays
on as the latest: its games show the next one what it misjudged.

Everything is in one folder: `plan.json`, `round-1/games-*.npz`, `round-1/net.npz`,
`round-1/report.json`, and the net `<game>-<seats>.npz`. Each file is written whole, so a training
that was killed goes on where it was, with the same result.
"""

from __future__ import annotations

import json
import statistics
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

from filelock import FileLock, Timeout
from numpy.random import SeedSequence

from kingmaker.cext.errors import InputError
from kingmaker.cext.net import Net, names_hash

from .fit import Losses, fit
from .plan import TrainingPlan, read_object, unreadable, whole
from .positions import Positions, load_records
from .tasks import FIT, GAMES_PER_SHARD, GROUPS_PER_TASK, Match, Shard, Workers

EVALUATION = "Game.evaluate"
SHARDS = "games-*.npz"
LOCK = "training.lock"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a stage is.

    Attributes:
        round: number, from 1.
        stage: what is done, in words.
        done: of `total`.
        total: games, groups or epochs.
    """

    round: int
    stage: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Strength:
    """Result of mirrored groups.

    Attributes:
        rival: the other players, `round 1` or `Game.evaluate`.
        share: mean win share of the net in one seat.
        error: its standard error over groups.
        groups: number of them.
    """

    rival: str
    share: float
    error: float
    groups: int


@dataclass(frozen=True, slots=True)
class Report:
    """Result of a round.

    Attributes:
        round: number, from 1.
        games: that were learned from.
        positions: that were learned from.
        losses: of held-out games.
        gate: against the best net before.
        is_accepted: whether it is the best one now.
    """

    round: int
    games: int
    positions: int
    losses: Losses
    gate: Strength
    is_accepted: bool

    @classmethod
    def read(cls, path: Path) -> Report:
        """Read a stored report.

        Raises:
            InputError: it can't be read, or is none.
        """
        stored = read_object(path)
        try:
            stored["losses"] = Losses(**stored["losses"])
            stored["gate"] = Strength(**stored["gate"])
            return cls(**stored)
        except (KeyError, TypeError):
            raise unreadable(path, "it is no report of a round") from None


Watch = Callable[[Progress], None]


class Training:
    """A training in its folder.

    Args:
        plan: settings; those of the folder, if it was begun.
        folder: for all files; made if it is missing.
        workers: plays the games.
        watch: called with each progress.

    Raises:
        InputError: the folder is of another plan, or can't be written.
    """

    def __init__(
        self,
        plan: TrainingPlan,
        folder: Path,
        workers: Workers,
        watch: Watch = lambda progress: None,
    ) -> None:
        plan.begin(folder)
        self.plan = plan
        self.folder = folder
        self._workers = workers
        self._watch = watch
        self._game = plan.new_game()
        self._best: int | None = None  # round of the best net

    @property
    def net_path(self) -> Path:
        """File of the best net."""
        return self.folder / f"{self._game.name}-{self._game.num_seats}.npz"

    def run(self, num_rounds: int, tell: Callable[[Report], None] = lambda report: None) -> bool:
        """Train for a number of rounds, counted from the beginning.

        Args:
            num_rounds: in all; those that are stored are not repeated.
            tell: called with the report of each, stored ones too.

        Returns:
            Whether there is a net that was accepted.

        Raises:
            InputError: another process trains in the folder, or a file of it can't be read.
        """
        with _alone(self.folder):
            return self._run(num_rounds, tell)

    def _run(self, num_rounds: int, tell: Callable[[Report], None]) -> bool:
        for number in range(1, num_rounds + 1):
            path = self._round(number) / "report.json"
            if not path.exists():
                report = self._train(number)
                with whole(path) as part:
                    part.write_text(json.dumps(asdict(report), indent=2) + "\n", encoding="utf-8")
            report = Report.read(path)
            if report.is_accepted:
                self._best = number
            tell(report)
        if self._best is None:
            return False
        if not self.net_path.exists() or Net.load(self.net_path).card["round"] != self._best:
            net = self._finished()
            with whole(self.net_path) as part:
                net.save(part)
        return True

    def _round(self, number: int) -> Path:
        return self.folder / f"round-{number}"

    def _net(self, number: int | None) -> Path | None:
        return None if number is None else self._round(number) / "net.npz"

    def _train(self, number: int) -> Report:
        self._round(number).mkdir(exist_ok=True)
        self._play(number)
        net_path = self._round(number) / "net.npz"
        if not net_path.exists():
            net = self._fit(number)
            with whole(net_path) as part:
                net.save(part)
        card = Net.load(net_path).card
        gate = self._gate(number, self._best)
        is_accepted = gate.share - gate.error > 1 / self._game.num_seats
        games, positions = card["data"]["games"], card["data"]["positions"]
        return Report(number, games, positions, Losses(**card["losses"]), gate, is_accepted)

    def _shards(self, number: int) -> list[Shard]:
        return [
            Shard(
                self.plan,
                number,
                first,
                min(GAMES_PER_SHARD, self.plan.games - first),
                self._net(number - 1 or None),
                self._net(self._best),
                self._round(number) / f"games-{first // GAMES_PER_SHARD:05}.npz",
            )
            for first in range(0, self.plan.games, GAMES_PER_SHARD)
        ]

    def _play(self, number: int) -> None:
        missing = [shard for shard in self._shards(number) if not shard.path.exists()]
        done = self.plan.games - sum(shard.count for shard in missing)
        self._watch(Progress(number, "games of self-play", done, self.plan.games))
        for index, _ in self._workers.run(missing):
            done += missing[index].count
            self._watch(Progress(number, "games of self-play", done, self.plan.games))

    def _fit(self, number: int) -> Net:
        plan, game = self.plan, self._game
        rounds = range(max(1, number - plan.window + 1), number + 1)
        paths = [path for each in rounds for path in sorted(self._round(each).glob(SHARDS))]
        positions = Positions([load_records(path) for path in paths], game.num_features, plan.mix)

        def watch(epoch: int, value: float, policy: float) -> None:
            self._watch(Progress(number, "epochs of the fit", epoch, plan.epochs))

        num_actions = game.num_actions if plan.has_policy else 0
        seed = SeedSequence(plan.seed, spawn_key=(number, FIT))
        try:
            weights, losses = fit(positions, num_actions, plan, seed, watch)
        except ValueError as error:
            raise InputError(str(error), field="games", value=str(plan.games)) from None
        return Net(
            {
                "game": game.name,
                "seats": game.num_seats,
                "options": game.options,
                "features": names_hash(game),
                "data": {"games": positions.num_games, "positions": len(positions)},
                "losses": asdict(losses),
                "plan": asdict(plan),
                "round": number,
                "seed": plan.seed,
                "version": version("kingmaker"),
                "commit": commit(),
            },
            weights,
        )

    def _gate(self, number: int, best: int | None) -> Strength:
        plan, net = self.plan, self._net(number)
        assert net is not None
        tasks = [
            Match(
                plan,
                number,
                first,
                min(GROUPS_PER_TASK, plan.gate_groups - first),
                net,
                self._net(best),
            )
            for first in range(0, plan.gate_groups, GROUPS_PER_TASK)
        ]
        rival = EVALUATION if best is None else f"round {best}"
        stage = f"groups against {rival}"
        found: dict[int, list[float]] = {}
        done = 0
        self._watch(Progress(number, stage, done, plan.gate_groups))
        for index, shares in self._workers.run(tasks):
            found[index] = shares
            done += len(shares)
            self._watch(Progress(number, stage, done, plan.gate_groups))
        return _strength(rival, (share for index in sorted(found) for share in found[index]))

    def _finished(self) -> Net:
        """Return the best net, with its strength in the card."""
        assert self._best is not None
        path = self._round(self._best)
        net = Net.load(path / "net.npz")
        strength = [Report.read(path / "report.json").gate]
        if strength[0].rival != EVALUATION:
            strength.append(self._gate(self._best, None))
        return Net({**net.card, "strength": [asdict(each) for each in strength]}, net.weights)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep other processes from training in a folder; the lock ends with this one."""
    lock = FileLock(folder / LOCK, blocking=False)
    try:
        lock.acquire()
    except Timeout:
        raise InputError(
            f"another process trains in {folder}; wait for its end, or choose another folder",
            field="out",
            value=str(folder),
        ) from None
    except OSError as error:
        raise InputError(
            f"{folder} can't be locked: {error.strerror}", field="out", value=str(folder)
        ) from None
    try:
        yield
    finally:
        lock.release()


def _strength(rival: str, shares: Iterable[float]) -> Strength:
    found = list(shares)
    error = statistics.stdev(found) / len(found) ** 0.5
    return Strength(rival, statistics.fmean(found), error, len(found))


def commit() -> str:
    """Return the commit of this checkout, `-dirty` if files have changed since; else `unknown`."""
    command = ["git", "-C", str(Path(__file__).resolve().parent), "describe", "--always"]
    try:
        done = subprocess.run(
            [*command, "--dirty", "--abbrev=12"], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return done.stdout.strip()
