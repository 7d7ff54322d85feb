"""Values compared with a shape: msgspec stops at the first problem, this collects them all."""

import math
from collections.abc import Iterator

import msgspec

from shoe_daemon.schema.kinds import free, item, keys, mismatch, nearest, shown, struct, structs, tag, wanted
from shoe_daemon.schema.lines import Path, dotted

_Part = tuple[str | int, object, object]


class Walk:
    """One comparison; `found` are the problems so far, as path and words."""

    def __init__(self, shape: object) -> None:
        self.found: list[tuple[Path, str]] = []
        self._homes: dict[str, list[str]] = {}
        for home, key in dict.fromkeys(keys(shape)):
            self._homes.setdefault(key, []).append(home)

    def check(self, value: object, kind: object, path: Path = ()) -> object:
        """Give `value` as type `kind`, or None where a problem lies in it."""
        before = len(self.found)
        for part, inner, inner_kind in self._parts(value, kind, path):
            self.check(inner, inner_kind, (*path, part))
        if isinstance(value, float) and not math.isfinite(value):
            self.found.append((path, f"wants a finite number, got {value}"))
        if len(self.found) > before:
            return None
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            # A cause is a ValueError that the shape raised itself; msgspec's own words lack the value.
            said = mismatch(value, kind) if error.__cause__ is None else str(error.__cause__)
            self.found.append((path, said))
            return None

    def _parts(self, value: object, kind: object, path: Path) -> Iterator[_Part]:
        """Give each part of a table or list with its type; unknown and missing keys are noted."""
        if isinstance(value, dict):
            shape, table = self._shape(value, kind, path), free(kind)
            if shape is not None:
                yield from self._fields(value, shape, path)
            elif table is not None:
                for key, inner in value.items():
                    self.check(key, table[0], (*path, key))
                    yield key, inner, table[1]
        elif isinstance(value, list):
            inner_kind = item(kind)
            if inner_kind is not None:
                yield from ((place, inner, inner_kind) for place, inner in enumerate(value))

    def _shape(self, value: dict[str, object], kind: object, path: Path) -> type[msgspec.Struct] | None:
        """Give the struct that a table is to be: of several, the one that its tag chooses."""
        found = structs(kind)
        tags = {value: shape for shape in found if (named := tag(shape)) is not None for value in named[1:]}
        if len(found) == 1 or not tags:
            return struct(kind)
        (field,) = {named[0] for shape in found if (named := tag(shape)) is not None}
        said = value.get(field)
        if isinstance(said, str) and said in tags:
            return tags[said]
        listed = ", ".join(shown(one) for one in tags)
        if field not in value:
            self.found.append(((*path, field), f"missing key, wants one of {listed}"))
        else:
            near = nearest(said, map(str, tags)) if isinstance(said, str) else None
            hint = f"; did you mean {shown(near)}?" if near else ""
            self.found.append(((*path, field), f"wants one of {listed}, got {shown(said)}{hint}"))
        return None

    def _fields(self, value: dict[str, object], shape: type[msgspec.Struct], path: Path) -> Iterator[_Part]:
        fields = {field.encode_name: field for field in msgspec.structs.fields(shape)}
        chosen = tag(shape)
        for key, inner in value.items():
            if chosen is not None and key == chosen[0]:
                continue
            if key in fields:
                yield key, inner, fields[key].type
            else:
                near = self._unknown((*path, key), key, tuple(fields))
                if isinstance(inner, dict):
                    self._astray(inner, fields[near].type if near else None, (*path, key))
        for key, field in fields.items():
            if field.required and key not in value:
                self.found.append(((*path, key), f"missing key, wants {wanted(field.type)}"))

    def _astray(self, value: dict[str, object], meant: object | None, path: Path) -> None:
        """Check what a table of unknown name holds: as the table meant, else each of its keys is unknown."""
        if meant is None:
            for key in value:
                self._unknown((*path, key), key, ())
        else:
            for part, inner, kind in self._parts(value, meant, path):
                self.check(inner, kind, (*path, part))

    def _unknown(self, path: Path, key: str, known: tuple[str, ...]) -> str | None:
        """Note an unknown key with the nearest valid one; give the key of its own table that was meant."""
        near = nearest(key, known)
        homes = self._homes.get(key)
        if homes:
            where = " or ".join(f"[{home}]" if home else "the top of the file" for home in homes)
            self.found.append((path, f"unknown key; {key} belongs in {where}"))
            return None
        if near is not None:
            hint = f"; did you mean {dotted((*path[:-1], near))}?"
        elif far := nearest(key, self._homes):
            hint = f"; did you mean {' or '.join(f'{home}.{far}'.lstrip('.') for home in self._homes[far])}?"
        else:
            hint = f"; known here: {', '.join(known)}" if known else ""
        self.found.append((path, f"unknown key{hint}"))
        return near
