"""Write the golden refusals: reasons against illegal moves, and faults of damaged lines.

Run this script after an intended change of a reason or its words, and review the diff:

    python -m tests.refusals.regenerate [game ...]

A block of `<game>.txt` is a position or an observation, then each reason with the tokens that it
refuses; a reason without a rule has `-` in its place:

    at <position line>
    seen <observation line>
    <rule> | <sentence> | <token> <token> ...

`lines_<game>.txt` has damaged lines with the rule and the field that each breaks; field and line
are JSON strings, since they may have any character:

    <at or seen> <rule> | <field> | <line>

The script prints the numbers of pairs of line and token, of reasons, of pairs without a specific
reason, and of damaged lines.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import product, zip_longest
from pathlib import Path
from typing import NamedTuple, TypeVar

from kingmaker.cext.errors import InputError
from kingmaker.cext.game import Game
from kingmaker.cext.games import GAMES
from tests.facts import FACTS, games_named
from tests.random_play import CHANCE, SPECTATOR, TERMINAL, by_phase, seats_of, steps_of
from tests.reference.code_of_chivalry_cards import CARDS
from tests.test_mutations import mutated, valid_lines, variants_of

FOLDER = Path(__file__).parent
NOT_NOW = " belongs to "
UNSPECIFIC = "it is not among the legal moves"
NO_RULE = "-"
PARSERS = {"at": "parse_position", "seen": "parse_observation"}

NUM_CANDIDATES = 1500  # lines tried for each game
NUM_SPELLINGS = 100  # tokens of a verb tried on a line, of those that the grammar allows
NUM_NEAR = 60  # tokens tried on a line that differ from a possible token in a word
MOST_LINES = 60  # written for a reason, fewer if they don't fit into the file
MOST_LINES_NOT_NOW = 4  # written for a verb that belongs to another phase
MOST_SENTENCES = 4  # of a shape that are written for a line
MOST_TOKENS = 6  # written for a sentence of a line
MAX_BYTES = 220_000  # of a file
NUM_STEPS = 1000  # of each choice of options

NUM_DAMAGED = 20_000  # lines tried for each game and kind
NUM_LINES = 200  # written for each kind of a large game
NUM_LINES_SMALL = 50  # written for each kind of the others
LINES_A_REFUSAL = 12  # most lines written for each kind, rule and field of any seat


# --- spellings ------------------------------------------------------------------------------------


WORD = re.compile(r"[a-h]\d|[a-z?]+|\d+")
NAMES = (
    "two|three|four|five|six|seven|eight|nine|ten|jack|queen|king|ace|hearts|spades|diamonds|clubs"
    "|pawn|knight|bishop|rook|sword|spear|bow|shield|protect|explode|convert|stay"
    f"|north|south|east|west|{'|'.join(CARDS)}"
)
NAMED = re.compile(rf"\b(?:an? )?(?:{NAMES})s?\b(?: of #)?")
NUMBERED = re.compile(r"\S*\d[^\s,;:]*|dice:\S+|(?<=column )\S")


def shape(sentence: str) -> str:
    """Return a sentence without its numbers, squares, cards and figures."""
    return re.sub(
        "#(?:(?:,| or| and| of|-)? ?#)+", "#", NAMED.sub("#", NUMBERED.sub("#", sentence))
    )


def spellings(name: str) -> dict[str, list[str]]:
    """List the tokens that the grammar of a game allows, by verb."""
    game = GAMES[name]()
    by_verb: dict[str, set[str]] = defaultdict(set)
    for parts in FACTS[name].grammar:
        for words in product(*parts):
            token = "".join(words)
            if is_spelled(game, token):
                by_verb[token.partition(":")[0]].add(token)
    return {verb: sorted(tokens) for verb, tokens in sorted(by_verb.items())}


def is_spelled(game: Game, token: str) -> bool:
    """Return whether a text is a well-formed token in its canonical spelling."""
    try:
        return game.move_text(game.parse_move(token)) == token
    except InputError:
        return False


def near(token: str, others: Sequence[str], rng: random.Random) -> str:
    """Replace a word of a token by that of another token with the same verb."""
    words = [*WORD.finditer(token)]
    other_words: list[str] = WORD.findall(rng.choice(others))
    index = rng.randrange(min(len(words), len(other_words)))
    match = words[index]
    return token[: match.start()] + other_words[index] + token[match.end() :]


# --- refusals -------------------------------------------------------------------------------------


class Reason(NamedTuple):
    """Why a move is refused."""

    rule: str
    sentence: str


class Block(NamedTuple):
    """A line, a position (`at`) or an observation (`seen`), and the tokens refused there."""

    kind: str
    line: str
    refused: dict[Reason, list[str]]

    def text(self) -> str:
        """Write the block."""
        reasons = [
            f"{rule or NO_RULE} | {sentence} | {' '.join(tokens)}\n"
            for (rule, sentence), tokens in self.refused.items()
        ]
        return f"{self.kind} {self.line}\n{''.join(reasons)}"


Text = TypeVar("Text", str, Reason)
Shape = tuple[str, str]  # a rule, and a sentence without names and numbers


def possible(game: Game, state: bytes) -> set[int]:
    """Return the legal moves or outcomes; an observation may hide those of other seats."""
    observer = game.observer_of(state)
    if observer is not None and (observer == SPECTATOR or observer != game.node_of(state)):
        return set()
    return {*game.moves_of(state), *(outcome for outcome, _ in game.outcomes_of(state))}


def parsed(name: str, kind: str, line: str) -> tuple[Game, bytes]:
    """Read the line of a block."""
    game, state = getattr(GAMES[name], PARSERS[kind])(line)
    return game, state


def reason_of(game: Game, state: bytes, token: str) -> Reason:
    """Return why a token is refused."""
    sentence, rule = game.why_illegal(state, game.parse_move(token))
    return Reason(rule, sentence)


def possible_tokens(game: Game, state: bytes, tokens: Iterable[str]) -> set[str]:
    """Return those of the tokens that are legal moves or outcomes."""
    moves = possible(game, state)
    return {token for token in tokens if game.resolve(state, game.parse_move(token)) in moves}


def candidates(name: str, rng: random.Random) -> Iterator[tuple[str, str, Game, bytes]]:
    """Draw states of random games, equally many per phase; yield (kind, line, game, state)."""
    phases: dict[str, list[tuple[Game, bytes]]] = defaultdict(list)
    for variant in variants_of(name):
        game = variant.new()
        for phase, steps in by_phase(game, steps_of(variant, NUM_STEPS)).items():
            phases[phase] += [(game, step.state) for step in steps]
    drawn = [
        rng.sample(found, min(len(found), NUM_CANDIDATES // len(phases)))
        for _, found in sorted(phases.items())
    ]
    for of_each_phase in zip_longest(*drawn):
        for game, state in filter(None, of_each_phase):
            node, observer = game.node_of(state), rng.choice(seats_of(game))
            if rng.random() < 0.5:
                yield "at", game.text(state), game, state
            elif node in (CHANCE, TERMINAL) or (not FACTS[name].needs_hands and rng.random() < 0.5):
                yield "seen", game.text(game.observed(state, observer)), game, state
            else:
                yield "seen", game.text(game.observed(state, node)), game, state


def refusals(name: str, rng: random.Random) -> Iterator[Block]:
    """Try tokens on lines of random games; keep those that the full state refuses too."""
    spelled = spellings(name)
    for kind, line, own_game, hidden in candidates(name, rng):
        game, state = parsed(name, kind, line)
        legal = [game.move_text(move) for move in sorted(possible(own_game, hidden))]
        tokens = {
            token
            for of_verb in spelled.values()
            for token in rng.sample(of_verb, min(NUM_SPELLINGS, len(of_verb)))
        }
        for token in rng.choices(legal, k=NUM_NEAR) if legal else []:
            tokens.add(near(token, spelled[token.partition(":")[0]], rng))
        tokens = {token for token in tokens if is_spelled(game, token)}
        tokens -= possible_tokens(own_game, hidden, tokens) | possible_tokens(game, state, tokens)
        refused: dict[Reason, list[str]] = defaultdict(list)
        for token in sorted(tokens):
            refused[reason_of(game, state, token)].append(token)
        yield Block(kind, line, {each: some(refused[each], MOST_TOKENS, rng) for each in refused})


def chosen(blocks: Sequence[Block], rng: random.Random) -> list[Block]:
    """Choose the number of lines per reason with which the blocks fit into a file."""
    by_line = [*{block.line: block for block in blocks}.values()]
    most = MOST_LINES
    while (kept := thinned(by_line, most, rng)) and sum(map(num_bytes, kept)) > MAX_BYTES:
        most -= 1
    return kept


def num_bytes(block: Block) -> int:
    """Return the size of a block in the file."""
    return len(block.text()) + 1


def thinned(blocks: Sequence[Block], most: int, rng: random.Random) -> list[Block]:
    """Keep at most a number of lines of each reason; prefer lines with several reasons."""
    lines: dict[Shape, dict[int, list[Reason]]] = defaultdict(lambda: defaultdict(list))
    for index, block in enumerate(blocks):
        for reason in sorted(block.refused):
            lines[reason.rule, shape(reason.sentence)][index].append(reason)
    kept: dict[int, list[Reason]] = defaultdict(list)
    for each, by_index in sorted(lines.items(), key=lambda item: (len(item[1]), item[0])):
        limit = min(most, MOST_LINES_NOT_NOW) if NOT_NOW in each[1] else most
        for index in sorted(by_index, key=lambda index: index not in kept)[:limit]:
            kept[index] += some(by_index[index], MOST_SENTENCES, rng)
    return [
        Block(kind, line, {reason: refused[reason] for reason in sorted(kept[index])})
        for index, (kind, line, refused) in enumerate(blocks)
        if index in kept
    ]


def some(found: Sequence[Text], most: int, rng: random.Random) -> list[Text]:
    """Return a random sample of at most a given size, in order."""
    return sorted(rng.sample(found, min(most, len(found))))


# --- damaged lines --------------------------------------------------------------------------------


class Refusal(NamedTuple):
    """The fault of a line: a rule and a field of the game; both are empty if it is valid."""

    kind: str
    rule: str
    field: str
    line: str


def refusal_of(name: str, kind: str, line: str) -> Refusal:
    """Return the fault of a line."""
    try:
        parsed(name, kind, line)
    except InputError as error:
        return Refusal(kind, error.rule, error.field, line)
    return Refusal(kind, "", "", line)


def damaged(name: str, rng: random.Random) -> list[Refusal]:
    """Damage lines of random games, and keep some for each broken rule and field."""
    kept: list[Refusal] = []
    for kind, lines in zip(PARSERS, valid_lines(name), strict=True):
        found: dict[Shape, dict[Refusal, None]] = defaultdict(dict)
        for _ in range(NUM_DAMAGED):
            refusal = refusal_of(name, kind, mutated(name, lines, rng))
            if refusal.rule or refusal.field:
                found[refusal.rule, field_of_any(name, refusal.field)][refusal] = None
        kept += spread(found, NUM_LINES if FACTS[name].is_large else NUM_LINES_SMALL)
    return kept


def field_of_any(name: str, field: str) -> str:
    """Return a field without the number of a seat; all unknown options count as one field."""
    path, _, option = field.partition(".options.")
    if option and option not in GAMES[name].option_help:
        return f"{path}.options.?"
    return re.sub(r"\bp\d", "p", field)


def spread(found: dict[Shape, dict[Refusal, None]], most: int) -> list[Refusal]:
    """Take the first of each rule and field, then the second of each, up to a limit."""
    rounds = zip_longest(*([*each][:LINES_A_REFUSAL] for _, each in sorted(found.items())))
    taken = [refusal for of_round in rounds for refusal in of_round if refusal]
    return sorted(taken[:most])


# --- files ----------------------------------------------------------------------------------------


def path_of(name: str) -> Path:
    """The file of the illegal moves of a game."""
    return FOLDER / f"{name}.txt"


def lines_path_of(name: str) -> Path:
    """The file of the damaged lines of a game."""
    return FOLDER / f"lines_{name}.txt"


def read_refusals(name: str) -> list[Refusal]:
    """Read the damaged lines of a game."""
    return [read_refusal(row) for row in lines_path_of(name).read_text().splitlines()]


def read_refusal(row: str) -> Refusal:
    """Read a damaged line."""
    head, field, line = row.split(" | ", 2)
    kind, _, rule = head.partition(" ")
    return Refusal(kind, rule, json.loads(field), json.loads(line))


def refusal_text(refusal: Refusal) -> str:
    """Write a damaged line."""
    kind, rule, field, line = refusal
    return f"{kind} {rule} | {json.dumps(field)} | {json.dumps(line)}\n"


def read_blocks(name: str) -> list[Block]:
    """Read the illegal moves of a game."""
    return [read_block(text) for text in path_of(name).read_text().strip().split("\n\n")]


def read_block(text: str) -> Block:
    """Read a block."""
    head, *rows = text.split("\n")
    kind, _, line = head.partition(" ")
    refused = {}
    for row in rows:
        rule, sentence, tokens = row.split(" | ")
        refused[Reason("" if rule == NO_RULE else rule, sentence)] = tokens.split(" ")
    return Block(kind, line, refused)


def reasons_in(blocks: Sequence[Block]) -> Counter[Shape]:
    """Count the pairs of line and token by rule and shape of the sentence."""
    counts: Counter[Shape] = Counter()
    for block in blocks:
        for (rule, sentence), tokens in block.refused.items():
            counts[rule, shape(sentence)] += len(tokens)
    return counts


def summary(name: str, blocks: Sequence[Block]) -> str:
    """Print the number of refusals, and of those without a specific reason."""
    reasons = reasons_in(blocks)
    rules = sorted({rule or NO_RULE for rule, _ in reasons})
    unspecific = sum(
        count for (rule, sentence), count in reasons.items() if not rule or sentence == UNSPECIFIC
    )
    return (
        f"{name}: {len(blocks)} lines, {reasons.total()} pairs, {len(reasons)} reasons,"
        f" {unspecific} pairs unspecific; rules {' '.join(rules)}"
    )


def main(names: Sequence[str]) -> None:
    """Write the files of these games."""
    for name in names:
        rng = random.Random(name)
        blocks = chosen([*refusals(name, rng)], rng)
        path_of(name).write_text("\n".join(block.text() for block in blocks))
        refusals_of_lines = damaged(name, random.Random(name))
        lines_path_of(name).write_text("".join(map(refusal_text, refusals_of_lines)))
        sys.stdout.write(f"{summary(name, blocks)}; {len(refusals_of_lines)} damaged lines\n")


if __name__ == "__main__":
    main(games_named(sys.argv[1:]))
