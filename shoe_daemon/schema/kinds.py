"""What a type wants of a TOML value: its parts, the keys that it knows, and the words for it."""

import difflib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import UnionType
from typing import Annotated, Final, NewType, Union, get_args, get_origin

import msgspec
from msgspec import inspect

_SHOWN = 60


def members(kind: object) -> tuple[object, ...]:
    """Give the plain types in a type: annotations, new types and unions undone."""
    if isinstance(kind, NewType):
        return members(kind.__supertype__)
    origin = get_origin(kind)
    if origin is Annotated:
        return members(get_args(kind)[0])
    if origin in (Union, UnionType):
        return tuple(one for member in get_args(kind) for one in members(member))
    return (kind,)


def item(kind: object) -> object | None:
    """Give the type of the items of a list; None for any other type."""
    for member in members(kind):
        origin, arguments = get_origin(member), get_args(member)
        if arguments and origin in (list, set, frozenset, Sequence):
            return arguments[0]  # type: ignore[no-any-return]  # typing gives Any for any type
        if origin is tuple and arguments[1:] == (...,):
            return arguments[0]  # type: ignore[no-any-return]  # the same
    return None


def free(kind: object) -> tuple[object, object] | None:
    """Give the types of the keys and values of a table with free keys; None for any other type."""
    for member in members(kind):
        if get_args(member) and get_origin(member) in (dict, Mapping):
            key, value = get_args(member)
            return key, value
    return None


def structs(kind: object) -> list[type[msgspec.Struct]]:
    """Give the structs that a table of a type may be; of several, each bears the tag that chooses it."""
    return [one for one in members(kind) if isinstance(one, type) and issubclass(one, msgspec.Struct)]


def struct(kind: object) -> type[msgspec.Struct] | None:
    """Give the struct that a table of a type must be; None where there is none, or a choice."""
    found = structs(kind)
    return found[0] if len(found) == 1 else None


def tag(shape: type[msgspec.Struct]) -> tuple[str, object] | None:
    """Give the key that chooses a struct among several, and its value there."""
    config = shape.__struct_config__
    return None if config.tag_field is None else (config.tag_field, config.tag)


def keys(kind: object, home: str = "", seen: tuple[object, ...] = ()) -> Iterator[tuple[str, str]]:
    """Give every key that a shape knows, as the dotted table that it belongs in, and the key."""
    listed, table = item(kind), free(kind)
    if listed is not None:
        yield from keys(listed, home, seen)
    if table is not None:
        yield from keys(table[1], f"{home}.*".lstrip("."), seen)
    for shape in structs(kind):
        if shape not in seen:
            for field in msgspec.structs.fields(shape):
                yield home, field.encode_name
                yield from keys(field.type, f"{home}.{field.encode_name}".lstrip("."), (*seen, shape))


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Give the one of `known` that `word` was most likely meant to be, whatever the case."""
    by_lower = {one.lower(): one for one in known}
    near = difflib.get_close_matches(word.lower(), by_lower, n=1)
    return by_lower[near[0]] if near else None


def shown(value: object) -> str:
    """Give a value as it stands in TOML, cut short."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, str | bool) else str(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def mismatch(value: object, kind: object) -> str:
    """Give the words for a value that is not of a type, with the nearest choice where it lists some."""
    words = f"wants {wanted(kind)}, got {shown(value)}"
    choices = [one for one in _choices(inspect.type_info(kind)) if isinstance(one, str)]
    near = nearest(value, choices) if isinstance(value, str) else None
    return f"{words}; did you mean {shown(near)}?" if near else words


def wanted(kind: object) -> str:
    """Give the words for what a type wants; `Meta(description=…)` where it has one."""
    return _words(inspect.type_info(kind))


def _choices(info: inspect.Type) -> list[object]:
    match info:
        case inspect.Metadata(type=inner):
            return _choices(inner)
        case inspect.UnionType(types=types):
            return [one for inner in types for one in _choices(inner)]
        case inspect.LiteralType(values=listed):
            return list(listed)
        case inspect.EnumType(cls=cls):
            return [one.value for one in cls]
    return []


def _words(info: inspect.Type) -> str:
    match info:
        case inspect.Metadata(type=inner, extra_json_schema=extra):
            words = str((extra or {}).get("description") or _words(inner))
        case inspect.UnionType(types=types):
            words = " or ".join(_words(one) for one in types if not isinstance(one, inspect.NoneType))
        case inspect.LiteralType() | inspect.EnumType():
            listed = [shown(one) for one in _choices(info)]
            words = listed[0] if len(listed) == 1 else f"one of {', '.join(listed)}"
        case inspect.IntType() | inspect.FloatType():
            words = _number(info)
        case inspect.StrType(pattern=pattern, min_length=least, max_length=most):
            words = "text" if pattern is None else f"text that matches {pattern}"
            words += "" if least is None else f", at least {least} characters"
            words += "" if most is None else f", at most {most} characters"
        case _:
            words = _PLAIN.get(type(info), "a value of another type")
    return words


def _number(info: inspect.IntType | inspect.FloatType) -> str:
    words = "a whole number" if isinstance(info, inspect.IntType) else "a number"
    for word, bound in (("over", info.gt), ("from", info.ge), ("up to", info.le), ("under", info.lt)):
        words += "" if bound is None else f" {word} {bound}"
    return words


_PLAIN: Final[dict[type[inspect.Type], str]] = {
    inspect.BoolType: "true or false",
    inspect.DateType: "a date",
    inspect.TimeType: "a time",
    inspect.DateTimeType: "a date and time",
    inspect.StructType: "a table",
    inspect.DictType: "a table",
    inspect.ListType: "a list",
    inspect.SetType: "a list",
    inspect.FrozenSetType: "a list",
    inspect.VarTupleType: "a list",
    inspect.TupleType: "a list",
}
