"""A state of Chessault drawn for a terminal."""

from collections.abc import Iterator

from kingmaker.cext.words import counted, joined, observer_lines

from .names import (
    ABILITIES,
    ACTIONS,
    CONVERT_FIELDS,
    END_OF_TURN,
    EXPLODE_FIELDS,
    FILES,
    SETUP,
    SIDES,
    ZONES,
    Figure,
    View,
    board_of,
    counts_name,
    figure_text,
    figures_name,
    on_square,
    player_name,
)

LEGEND = (
    "[ ] EXPLODE field, ( ) CONVERT field; + protect, * explode, ~ convert, - fresh pawn, . moved"
)
FILE_NAMES = "     " + "    ".join(FILES[:4]) + "     " + "    ".join(FILES[4:])
RULER = "   +" + "-" * 20 + "+" + "-" * 20 + "+"


def render(view: View) -> str:
    """Draw a state or observation: the board, then the holdings of each side."""
    lines = [_turn_line(view), _node_line(view), "", *_board(view), LEGEND, ""]
    for seat in SIDES:
        lines += _player_lines(view, seat)
    free = ", ".join(f"{view['pool'][ability]} {ability}" for ability in ABILITIES)
    lines.append(f"free tokens: {free}")
    lines += _mark_lines(view)
    if view["action"] not in (SETUP, END_OF_TURN):
        lines.append(_tally_line(view))
    if view["node"]["type"] != "end":
        lines += [f"the king of {SIDES[seat]} is in check" for seat in view["in_check"]]
    return "\n".join(lines + observer_lines(view))


def _turn_line(view: View) -> str:
    name = player_name(view["active"])
    if view["action"] == SETUP:
        return f"setup, turn of {name}"
    turn = f"turn {view['turn']} of {view['options']['max_turns']}, of {name}"
    if view["action"] == END_OF_TURN:
        return f"end of {turn}"
    return f"{turn}; action {ACTIONS[view['action']]} of 3"


def _node_line(view: View) -> str:
    """Name the player to move and the decision."""
    node = view["node"]
    kind = node["type"]
    if kind == "end":
        winner = node["winner"]
        return f"the game is over: {f'{player_name(winner)} wins' if winner else 'a draw'}"
    if kind == "dice":
        return f"the dice roll; what can move: {joined(view['movable'], 'or')}"
    return f"{player_name(view['node']['seat'])} {_duty(view)}"


def _duty(view: View) -> str:
    node = view["node"]
    kind = node["type"]
    if kind == "place":
        return f"places {figures_name(node['figure'])}"
    if kind == "move":
        return f"has rolled {joined(map(figures_name, node['types']))} and moves one"
    if kind == "promote":
        return f"promotes the pawn on {node['square']}"
    if kind in DUTIES:
        return DUTIES[kind]
    figure = board_of(view)[node["square"]]
    if kind == "activate":
        return f"may use {figure['ability']} of {on_square(figure)}"
    held = [figure["ability"]] if figure["ability"] else []
    return f"chooses {joined([*held, *node['kinds']], 'or')} for {on_square(figure)}"


DUTIES = {
    "setup": "sets up a figure, buys one or is done",
    "sacrifice": "sacrifices a figure for a queen",
    "action": "chooses an action",
}


# --- the board --------------------------------------------------------------------------------


def _board(view: View) -> Iterator[str]:
    """Draw the ten rows, the recruitment lines apart from the 64 squares."""
    board = board_of(view)
    yield FILE_NAMES
    for row in reversed(range(10)):
        cells = [_cell(board.get(f"{file}{row}"), f"{file}{row}") for file in FILES]
        name = {9: "   Black's line", 0: "   White's line"}.get(row, "")
        yield f" {row} |{''.join(cells[:4])}|{''.join(cells[4:])}|{name}"
        if row in (9, 5, 1):
            yield RULER
    yield FILE_NAMES


def _cell(figure: Figure | None, square: str) -> str:
    text = figure_text(figure) if figure else "."
    if square in EXPLODE_FIELDS:
        return f"[{text:3}]"
    return f"({text:3})" if square in CONVERT_FIELDS else f" {text:3} "


# --- beside the board -------------------------------------------------------------------------


def _player_lines(view: View, seat: int) -> list[str]:
    player = view["players"][seat - 1]
    done = ", done with the setup" if view["action"] == SETUP and player["is_done"] else ""
    zones = [zone for zone in ZONES if zone != "unplaced" or view["action"] == SETUP]
    return [
        f"{player_name(seat)}: {counted(player['credits'], 'credit')}{done}",
        *(f"  {zone + ':':10}{counts_name(player[zone])}" for zone in zones),
    ]


def _mark_lines(view: View) -> list[str]:
    board = board_of(view)
    lines = []
    for mark in view["marks"]:
        target = on_square(board[mark["target"]])
        if mark["converter"]:
            lines.append(f"mark: {on_square(board[mark['converter']])} is converting {target}")
        else:
            lines.append(f"mark: {target}, whose converter is gone")
    return lines


def _tally_line(view: View) -> str:
    tally = view["tally"]
    counts = [
        f"{count} {name}{'' if count == 1 else plural}"
        for name, plural, count in (
            ("move", "s", tally["moves"]),
            ("kill", "s", tally["kills"]),
            ("endzone reach", "es", tally["reaches"]),
        )
    ]
    special = "; the special king move is used" if tally["king_moves"] else ""
    return f"this turn: {', '.join(counts)}{special}"
