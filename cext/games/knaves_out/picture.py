"""The world and its players as text: boards as they lie, pieces with checkers, towers, marks."""

from kingmaker.cext.words import WIDEST, counted, joined, observer_lines, result_name

from .names import (
    JOKER,
    PIECE_LETTERS,
    TOWER_NAMES,
    View,
    on_square,
    pieces_of,
    winners_of,
)

CELL = 4  # columns of a square
SIDE = 8  # squares of a board
FILES = "abcdefgh"
SIDE_MARKS = tuple(rf"\b{seat}[KRNBPkrnp]\d+\b" for seat in range(1, 9))
"""What finds the pieces of each seat, see `_contents`; tainted bishops look like squares."""
DUTIES = {
    "board": "places a board",
    "king": "places the king building",
    "courtj": "chooses a Knave",
    "courtq": "chooses a Queen",
    "courtk": "chooses a King",
    "under": "may lay a Joker under the court",
    "fuel": "chooses a card for a tower",
    "shuffle": "may shuffle the discard into the deck",
    "draw": "draws a card",
    "main": "is to play",
    "waive": "chooses what the Feast saves",
    "find": "searches the deck",
    "place": "chooses a square",
    "target": "chooses what to blow up",
    "charm": "leads a charmed pawn",
    "taint": "rolls for a tainted Queen",
    "mix": "chooses checkers for one of the Two Towers",
    "sac": "takes checkers for one of the Two Towers",
    "insight": "may move the attacker",
    "parlay": "may stop the roll",
    "roll": "rolls a die",
    "lionheart": "may roll a die again",
    "reroll": "rolls a die again",
    "redirect": "may redirect a point",
    "keep": "may discard the hand",
}
CAUSES = {  # kind of damage -> what it comes from
    "attack": "the attack",
    "thorns": "Thorns",
    "execute": "Execute",
    "hazard": "the Ivory Tower",
}


def render(view: View, width: int = WIDEST) -> str:
    """Draw a state or observation: where the game stands, the world, the players.

    Args:
        view: view of the state; each player has besides his `court` in words and his unused
            checkers, `unused_red` and `unused_black`.
        width: columns; a wider world is drawn in parts, after a map of all.
    """
    parts = [
        _headline(view),
        _world_lines(view, width),
        _tower_lines(view) + [line for seat in _seats(view) for line in _player_lines(view, seat)],
        observer_lines(view),
    ]
    return "\n\n".join("\n".join(lines) for lines in parts if lines)


def _seats(view: View) -> range:
    return range(1, len(view["players"]) + 1)


def _headline(view: View) -> list[str]:
    node = view["node"]
    when = f"turn {view['turn']} of {view['options']['max_turns']}" if view["turn"] else "setup"
    if node["type"] == "end":
        return [f"{when}; the game is over: {result_name(winners_of(node))}"]
    if node["type"] == "first":
        return [f"{when}; the dice decide who begins"]
    whose = f" in the turn of p{view['active']}" if view["active"] not in (0, node["seat"]) else ""
    return [f"{when}; p{node['seat']} {DUTIES[node['type']]}{whose}", *_context_lines(view)]


def _context_lines(view: View) -> list[str]:
    """Tell of the attack, the damage or the waiver that is going on."""
    node = view["node"]
    if node["type"] == "waive":
        prices = ", ".join(f"{each['price']} of {each['tower'].upper()}" for each in node["prices"])
        return [f"to pay: {prices}; {counted(node['left'], 'card')} to waive"]
    lines = []
    if "attacker" in node:
        dice = ""
        if "num_dice" in node:
            shown = " ".join(map(str, node["faces"])) or "none"
            dice = f"; dice {len(node['faces'])} of {node['num_dice']}: {shown}"
        strikes = "is struck by" if node.get("is_counter") else "attacks"
        lines.append(f"{node['attacker']} {strikes} {node['target']}{dice}")
    if node["type"] == "redirect":
        points = f"{counted(node['damage'], 'point')} of {CAUSES[node['kind']]}"
        lines.append(f"{points} on {on_square(view, node['square'])}")
    return lines


# --- the world ------------------------------------------------------------------------------------


def _world_lines(view: View, width: int) -> list[str]:
    """Draw the boards on their grid, side by side as far as they fit, and what holds for some."""
    boards = {
        seat: player["board"]
        for seat, player in enumerate(view["players"], 1)
        if player.get("board") is not None
    }
    if not boards:
        return []
    contents = _contents(view)
    parts = _parts(boards, width // CELL)
    lines = [] if len(parts) == 1 else ["the boards lie like this:", *_map_lines(boards)]
    for part in parts:
        if len(parts) > 1:
            lines += ["", f"{'boards' if len(part) > 1 else 'board'} {joined(map(str, part))}:"]
        lines += _part_lines({seat: boards[seat] for seat in part}, contents)
    lines += [f"board {seat} is an island" for seat, board in boards.items() if board["is_island"]]
    lines += [
        f"board {seat} is cleansed ground" for seat, board in boards.items() if board["is_cleansed"]
    ]
    return [*lines, LEGEND]


def _parts(boards: dict[int, View], width: int) -> list[list[int]]:
    """Split the boards from west to east into parts at most `width` squares wide, or one board."""
    parts: list[list[int]] = []
    for seat in sorted(boards, key=lambda seat: (boards[seat]["x"], seat)):
        if not parts or boards[seat]["x"] + SIDE - boards[parts[-1][0]]["x"] > width:
            parts.append([])
        parts[-1].append(seat)
    return [sorted(part) for part in parts]


def _part_lines(boards: dict[int, View], contents: dict[str, str]) -> list[str]:
    """Draw some boards; the squares of the sea, and of other boards, are blank.

    Only the squares of the first file have the number of their board, as `1b1` is a bishop.
    """
    left, top = _corner(boards)
    cells = {}
    for seat, board in boards.items():
        for file, letter in enumerate(FILES):
            for row in range(SIDE):
                square = f"{seat}{letter}{row + 1}"
                label = square if file == 0 else square[1:] if row == 0 else "  ."
                at = top - board["y"] - row, board["x"] - left + file
                cells[at] = contents.get(square, label)
    return _grid_lines(cells, CELL)


def _map_lines(boards: dict[int, View]) -> list[str]:
    """Draw each board as its number; a character is two squares wide and four high."""
    left, top = _corner(boards)
    cells = {}
    for seat, board in boards.items():
        for file in range(SIDE // 2):
            for row in range(SIDE // 4):
                at = (top - board["y"]) // 4 - row, (board["x"] - left) // 2 + file
                cells[at] = str(seat)
    return _grid_lines(cells, 1)


def _corner(boards: dict[int, View]) -> tuple[int, int]:
    """Return the most western column and the most northern row of some boards."""
    left = min(board["x"] for board in boards.values())
    return left, max(board["y"] for board in boards.values()) + SIDE - 1


def _grid_lines(cells: dict[tuple[int, int], str], width: int) -> list[str]:
    """Write cells by row and column, each `width` characters wide."""
    rows = range(max(row for row, _ in cells) + 1)
    columns = range(max(column for _, column in cells) + 1)
    return [
        "".join(cells.get((row, column), "").ljust(width) for column in columns).rstrip()
        for row in rows
    ]


LEGEND = (
    "seat, piece, checkers: K king R rook N knight B bishop, small if tainted, P pawn, p unpawn; "
    "I, D the Two Towers\n"
    "towers: court card, * if tainted, [height: stack from its top, * with a Joker]"
)


def _contents(view: View) -> dict[str, str]:
    """Map squares to what stands there: `1P2` is a pawn of p1 with 2 checkers, `I10` a Tower."""
    found = {}
    for square, (seat, piece) in pieces_of(view).items():
        letter = PIECE_LETTERS[piece["kind"]]
        letter = letter.lower() if piece["is_tainted"] else letter
        found[square] = f"{seat}{letter}{piece['checkers']}"
    for name in ("ivory", "dark"):
        tower = view[name]
        if tower["status"] == "standing":
            found[tower["square"]] = f"{name[0].upper()}{tower['red'] + tower['black']}"
    return found


def _tower_lines(view: View) -> list[str]:
    lines = []
    for name in ("ivory", "dark"):
        tower = view[name]
        if tower["status"] == "gone":
            lines.append(f"the {name.title()} Tower is gone")
        elif tower["status"]:
            enemy = f" against p{tower['chosen_enemy']}" if tower["chosen_enemy"] else ""
            lines.append(
                f"the {name.title()} Tower of p{tower['chosen_one']}{enemy} on {tower['square']}: "
                f"{tower['red']} red, {tower['black']} black checkers"
            )
    return lines


# --- players --------------------------------------------------------------------------------------


def _player_lines(view: View, seat: int) -> list[str]:
    player = view["players"][seat - 1]
    name = f"p{seat} >" if seat == view["node"]["seat"] else f"p{seat}"
    if not player["is_alive"]:
        return [f"{name}  defeated"]
    court = f"{player['court']}; " if player["court"] else ""
    head = (
        f"{name}  {court}{_hand_text(player)}; discard {len(player['discard'])}; unused "
        f"{player['unused_red']} red, {player['unused_black']} black"
    )
    rows = [
        "  ".join(
            _court_text(tower, player[field])
            for tower, field in TOWER_NAMES.items()
            if player.get(field) is not None
        ),
        _sea_text(player),
        _used_text(player),
        _marks_text(player),
    ]
    return [head, *(f"    {row}" for row in rows if row)]


def _hand_text(player: View) -> str:
    if player["hand"]:
        return f"hand {' '.join(player['hand'])}"
    return f"hand of {counted(player['num_hidden'], 'card')}"


def _court_text(tower: str, court: View) -> str:
    """Write a tower: `J js* [7: 7h 6d* 5c ..] +motorhead`, the stack from its top."""
    cards: list[str] = []
    for card in court["stack"]:
        if card == JOKER:
            cards[-1] += "*"
        else:
            cards.append(card)
    stack = f"[{len(cards)}: {' '.join(cards[:-4:-1])}{' ..' if len(cards) > 3 else ''}]"
    star = "*" if court["is_tainted"] else ""
    below = "".join(f" +{each['effect']}" for each in court["devoured"])
    return f"{tower.upper()} {court['base']}{star} {stack if cards else '[0]'}{below}"


def _sea_text(player: View) -> str:
    told = [
        f"{sailor['kind']} with {counted(sailor['checkers'], 'checker')}"
        + (" (fresh)" if sailor["is_fresh"] else "")
        for sailor in player["sea"]
    ]
    return f"at sea: {', '.join(told)}" if told else ""


def _used_text(player: View) -> str:
    """Tell what the pieces of the active seat have done in this turn."""
    told = []
    for piece in player["pieces"]:
        words = [
            *([counted(piece["steps"], "step")] if piece["steps"] else []),
            *(["attacked"] * piece["has_attacked"]),
            *(["cleansed"] * piece["is_cleansed"]),
            *(["Wild Surge"] * piece["has_surge"]),
        ]
        if words:
            told.append(f"{piece['square']} {', '.join(words)}")
    return f"used: {'; '.join(told)}" if told else ""


def _marks_text(player: View) -> str:
    words = [
        *player["marks"],
        *([counted(player["actions_taken"], "action")] if player["actions_taken"] else []),
        *(f"swayed by p{seat}" for seat in player["swayed_by"]),
        *(f"permission of p{each['seat']} used" for each in player["permissions"]),
    ]
    return f"marks: {', '.join(words)}" if words else ""
