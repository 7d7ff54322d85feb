"""The file system that the journal lies on: room, and whether it keeps what it is given."""

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

import msgspec

from shoe_daemon.runtime.host.finding import Finding, Host

_LEAST: Final = 1 << 30
_MIB: Final = 1 << 20
_FORGETS: Final = frozenset({"tmpfs", "ramfs", "zram"})
_NETWORK: Final = re.compile(
    r"nfs\d?|cifs|smb3|smbfs|9p|afs|ceph|glusterfs|lustre|fuse\.(?:sshfs|glusterfs|.*smb.*)"
)
_PLAIN: Final = frozenset({"vfat", "msdos", "exfat", "ntfs", "ntfs3", "fuseblk"})
_MOVE: Final = "set path in [journal] to a folder on a local disk with ext4"


class _Mount(msgspec.Struct, frozen=True):
    at: str
    kind: str
    options: frozenset[str]


def disk(host: Host) -> Iterator[Finding]:
    """Look at the folder of the journal, or at what lies above it while it is not there."""
    name = "journal's disk"
    if host.journal is None:
        yield Finding(name, "cannot tell", "no configuration was given", "give one with --config")
        return
    folder = PurePosixPath(host.leads_to(host.journal)).parent
    there = next(one for one in (folder, *folder.parents) if _is_folder(host.at(Path(one))))
    wrong = [*_kept(host, str(there)), *_room(host, str(there))]
    for state, words, advice in wrong:
        yield Finding(name, "wrong" if state else "cannot tell", f"{there} {words}", advice)
    if there != folder:
        words = f"{folder} is not there: systemd makes it where StateDirectory= names it"
        yield Finding(name, "cannot tell", words, f"else make it: install -d -m 0700 -o shoe-daemon {folder}")
    elif not wrong:
        yield Finding(name, "well", f"{there}: {host.space(host.at(Path(there))).free // _MIB:,} MiB free")


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except PermissionError:
        return False


def _kept(host: Host, folder: str) -> Iterator[tuple[bool, str, str]]:
    """Whether it is wrong, words and advice for a file system that is no place for a journal."""
    mounts = _mounts(host)
    mount = _mount_of(mounts, folder)
    if mount is None:
        yield False, "is on a file system that /proc/self/mountinfo does not name", ""
        return
    if mount.kind == "overlay":
        upper = next((one.partition("=")[2] for one in mount.options if one.startswith("upperdir=")), "")
        below = _mount_of([one for one in mounts if one.at != "/"], upper)
        if below is None or below.kind == "overlay":
            words = "is on an overlay, and what it writes to cannot be seen"
            yield False, words, "see that its upper layer is a disk"
        elif below.kind in _FORGETS:
            yield True, "is on an overlay over memory: gone when the power goes", _MOVE
    elif mount.kind in _FORGETS:
        yield True, f"is in memory ({mount.kind}): gone when the power goes", _MOVE
    elif _NETWORK.fullmatch(mount.kind):
        yield (
            True,
            f"is on the network ({mount.kind}): neither locks nor order of writing can be relied on",
            _MOVE,
        )
    elif mount.kind in _PLAIN:
        yield True, f"is on {mount.kind}, which keeps no owners and is damaged by a power cut", _MOVE
    if "ro" in mount.options:
        advice = f"find why (dmesg: a disk that fails is made read-only), then mount -o remount,rw {mount.at}"
        yield True, f"is read-only ({mount.kind} at {mount.at})", advice


def _room(host: Host, folder: str) -> Iterator[tuple[bool, str, str]]:
    try:
        space = host.space(host.at(folder))
    except OSError as error:
        yield False, f"does not tell its room: {error.strerror}", ""
        return
    free = f"make room: journalctl --vacuum-size=100M, and look with du -xh {folder}"
    if not space.inodes:
        yield True, "can take no more files (no inode is free)", free
    if space.free < _LEAST:
        yield True, f"has {space.free // _MIB:,} MiB left, less than {_LEAST // _MIB:,}", free


def _mounts(host: Host) -> list[_Mount]:
    """What is mounted, in order; options of the mount and of its file system together."""
    found: list[_Mount] = []
    for line in (host.text("/proc/self/mountinfo") or "").splitlines():
        left, _, right = line.partition(" - ")
        head, tail = left.split(), right.split()
        if len(head) > 5 and len(tail) > 2:  # noqa: PLR2004 - ids, device, root, place, options; type, source, options
            at = re.sub(r"\\(\d{3})", lambda octal: chr(int(octal[1], 8)), head[4])
            found.append(_Mount(at, tail[0], frozenset({*head[5].split(","), *tail[2].split(",")})))
    return found


def _mount_of(mounts: list[_Mount], folder: str) -> _Mount | None:
    """The mount that `folder` lies in: the deepest, and of those at one place the last."""
    within = [one for one in mounts if PurePosixPath(folder).is_relative_to(one.at)]
    return max(reversed(within), key=lambda one: len(one.at), default=None)
