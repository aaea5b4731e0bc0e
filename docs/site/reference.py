"""References: the services from the comments of the protos, the library from its docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import Any

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
)

import kingmaker
from kingmaker.adapters import gymnasium, open_spiel, pettingzoo
from kingmaker.agents import server as agents
from kingmaker.cext import contract, game
from kingmaker.review import review

PACKAGE = ".kingmaker.v1."
MESSAGE, ENUM, SERVICE = 4, 5, 6  # numbers of the fields of FileDescriptorProto
METHOD, FIELD, NESTED, NESTED_ENUM, VALUE = 2, 2, 3, 4, 2
TYPES = {
    number: name.removeprefix("TYPE_").lower() for name, number in FieldDescriptorProto.Type.items()
}
MODULES: dict[str, tuple[ModuleType, tuple[str, ...]]] = {
    "kingmaker": (kingmaker, tuple(kingmaker.__all__)),
    "kingmaker.cext.contract": (contract, ("Contract",)),
    "kingmaker.cext.game": (game, ("Game",)),
    "kingmaker.review.review": (review, ("Reviewer", "review_game")),
    "kingmaker.adapters.pettingzoo": (pettingzoo, ("GameEnv",)),
    "kingmaker.adapters.gymnasium": (gymnasium, ("BotsEnv",)),
    "kingmaker.adapters.open_spiel": (open_spiel, ("state_of",)),
    "kingmaker.agents.server": (agents, ("make_server",)),
}
"""Modules and their names that are for users."""
WIDTH = 80  # of a signature on one line
SECTIONS = ("Args", "Attributes", "Returns", "Raises", "Yields", "Class attributes")


def write(folder: Path) -> list[Path]:
    """Write the pages of the references; returns their paths."""
    folder.mkdir(parents=True)
    described = FileDescriptorSet.FromString((files("kingmaker.v1") / "api.binpb").read_bytes())
    ours = [file for file in described.file if file.package == "kingmaker.v1"]
    places = {name: _page(file) for file in ours for name in _names(file)}
    texts = {f"{_page(file)}": proto_page(file, places) for file in ours}
    texts |= {f"{name}.md": python_page(name) for name in MODULES}
    texts["index.md"] = _index(ours)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in texts]


def _index(ours: list[FileDescriptorProto]) -> str:
    lines = ["# API", "", "## Services and messages", ""]
    lines += [
        f"* [`{file.name}`]({_page(file)})"
        + "".join(f" {service.name}" for service in file.service)
        for file in ours
    ]
    lines += ["", "## Python", ""]
    lines += [f"* [`{name}`]({name}.md)" for name in MODULES]
    return "\n".join([*lines, ""])


def _page(file: FileDescriptorProto) -> str:
    return f"{Path(file.name).stem}.md"


def _names(file: FileDescriptorProto) -> list[str]:
    return [*(each.name for each in file.message_type), *(each.name for each in file.enum_type)]


def proto_page(file: FileDescriptorProto, places: dict[str, str]) -> str:
    """Return the reference of a proto file.

    Args:
        file: with comments.
        places: page of each message and enum of the package.
    """
    comments = {
        tuple(each.path): each.leading_comments.strip().replace("\n ", "\n")
        for each in file.source_code_info.location
    }
    names = [service.name for service in file.service] or [f"Messages of {Path(file.name).stem}"]
    lines = [f"# {names[0]}", "", f"`{file.name}`", ""]
    for number, service in enumerate(file.service):
        path = (SERVICE, number)
        lines += [f"## {service.name}", "", comments.get(path, ""), ""]
        for index, method in enumerate(service.method):
            stream = "a stream of " if method.server_streaming else ""
            lines += [
                f"### {service.name}.{method.name}",
                "",
                f"Takes {_type_link(method.input_type, places)}, returns {stream}"
                f"{_type_link(method.output_type, places)}.",
                "",
                comments.get((*path, METHOD, index), ""),
                "",
            ]
    for number, message in enumerate(file.message_type):
        lines += _message(message, (MESSAGE, number), "", comments, places)
    for number, enum in enumerate(file.enum_type):
        lines += _enum(enum, (ENUM, number), "", comments)
    return "\n".join(lines)


def _message(
    message: DescriptorProto,
    path: tuple[int, ...],
    above: str,
    comments: dict[tuple[int, ...], str],
    places: dict[str, str],
) -> list[str]:
    if message.options.map_entry:
        return []
    name = above + message.name
    lines = [f"## {name}", "", comments.get(path, ""), ""]
    if message.field:
        lines += ["| field | type | meaning |", "|---|---|---|"]
    for number, field in enumerate(message.field):
        meaning = " ".join(comments.get((*path, FIELD, number), "").split()).replace("|", "\\|")
        lines.append(f"| `{field.name}` | {_field_type(field, message, places)} | {meaning} |")
    lines.append("")
    for number, nested in enumerate(message.nested_type):
        lines += _message(nested, (*path, NESTED, number), f"{name}.", comments, places)
    for number, enum in enumerate(message.enum_type):
        lines += _enum(enum, (*path, NESTED_ENUM, number), f"{name}.", comments)
    return lines


def _enum(
    enum: EnumDescriptorProto,
    path: tuple[int, ...],
    above: str,
    comments: dict[tuple[int, ...], str],
) -> list[str]:
    lines = [f"## {above}{enum.name}", "", comments.get(path, ""), ""]
    lines += ["| value | number | meaning |", "|---|---|---|"]
    for index, value in enumerate(enum.value):
        meaning = " ".join(comments.get((*path, VALUE, index), "").split()).replace("|", "\\|")
        lines.append(f"| `{value.name}` | {value.number} | {meaning} |")
    return [*lines, ""]


def _field_type(
    field: FieldDescriptorProto, message: DescriptorProto, places: dict[str, str]
) -> str:
    for nested in message.nested_type:
        if nested.options.map_entry and field.type_name.endswith(f".{message.name}.{nested.name}"):
            key, value = (_field_type(each, nested, places) for each in nested.field)
            return f"map of {key} to {value}"
    kind = _type_link(field.type_name, places) if field.type_name else TYPES[field.type]
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        return f"list of {kind}"
    return f"optional {kind}" if field.proto3_optional else kind


def _type_link(name: str, places: dict[str, str]) -> str:
    short = name.removeprefix(PACKAGE)
    if name == short:
        return f"`{name.lstrip('.')}`"
    page = places[short.partition(".")[0]]
    return f"[`{short}`]({page}#{_slug(short)})"


def _slug(title: str) -> str:
    """Return the anchor of a heading, as the site makes it."""
    return re.sub(r"[^\w\- ]", "", title).strip().lower().replace(" ", "-")


def python_page(name: str) -> str:
    """Return the reference of a module."""
    module, names = MODULES[name]
    lines = [f"# {name}", "", render(inspect.getdoc(module) or ""), ""]
    for each in names:
        value = getattr(module, each)
        if inspect.isclass(value):
            lines += _class(each, value)
        elif callable(value):
            lines += [f"## {each}", "", _signature(each, value), "", render(_doc(value)), ""]
        elif isinstance(value, dict):
            lines += [f"## {each}", "", *(f"* `{key}`: {value[key].summary}" for key in value), ""]
        else:
            lines += [f"## {each}", "", f"`{value!r}`", ""]
    return "\n".join(lines)


def _class(name: str, kind: type) -> list[str]:
    lines = [f"## {name}", "", _signature(name, kind), "", render(_doc(kind)), ""]
    for member, value in _members(kind):
        title = f"### {name}.{member}"
        if isinstance(value, property):
            lines += [title, "", render(inspect.getdoc(value) or ""), ""]
        else:
            bound = getattr(kind, member)
            lines += [title, "", _signature(member, bound), "", render(_doc(bound)), ""]
    return lines


def _members(kind: type) -> Iterator[tuple[str, Any]]:
    """List the documented methods and properties that a class adds, in their order."""
    for name, value in vars(kind).items():
        routine = isinstance(value, (classmethod, staticmethod)) or inspect.isroutine(value)
        if name.startswith("_") or not (routine or isinstance(value, property)):
            continue
        if inspect.getdoc(value):
            yield name, value


def _doc(value: Any) -> str:
    """Return a docstring; those of Cython begin with the signature."""
    text = inspect.getdoc(value) or ""
    first, _, rest = text.partition("\n")
    return rest.strip() if re.match(r"[\w.]+\(.*\)", first) else text


def _signature(name: str, value: Any) -> str:
    text = inspect.getdoc(value) or ""
    first = text.partition("\n")[0]
    if re.match(r"[\w.]+\(.*\)", first):  # of Cython
        return f"```python\n{first}\n```"
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    text = re.sub(r"(: |-> )'([^']*)'", r"\1\2", f"{name}{signature}")
    if len(text) > WIDTH:
        parts = [
            re.sub(r": '([^']*)'", r": \1", str(each)) for each in signature.parameters.values()
        ]
        end = text[text.rindex(")") :]
        text = f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + end
    return f"```python\n{text}\n```"


def render(text: str) -> str:
    """Return a docstring in Google's form as Markdown: its sections become lists."""
    lines: list[str] = []
    inside = False
    session = False
    for line in text.splitlines():
        title = line.rstrip(":")
        if line.startswith(">>>") and not session:
            session = True
            lines.append("```pycon")
        if session and not line:
            session = False
            lines.append("```")
        if session:
            lines.append(line)
        elif line.endswith(":") and title in SECTIONS:
            lines += ["", f"**{title}**", ""]
            inside = True
        elif inside and line and not line.startswith(" "):
            lines += ["", line]
            inside = False
        elif inside:
            item = re.match(r"    (\w[\w, .|\[\]*]*): (.*)", line)
            if item:
                lines.append(f"* `{item[1]}`: {item[2]}")
            else:
                lines.append(f"  {line.strip()}" if line.strip() else "")
        else:
            lines.append(line)
    return "\n".join([*lines, *["```"] * session])
