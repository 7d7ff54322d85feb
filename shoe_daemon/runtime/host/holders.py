"""Who has what a daemon needs: the port, the journal's lock, and the groups that may open the port."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from shoe_daemon.runtime.hidport import is_keyboard
from shoe_daemon.runtime.host.finding import Finding, Host
from shoe_daemon.runtime.lockfile import holder, lock_of

_UNIT: Final = "shoe-daemon.service"
_FOLDERS: Final = (
    "/etc/systemd/system",
    "/run/systemd/system",
    "/usr/lib/systemd/system",
    "/lib/systemd/system",
)
_NOBODYS: Final = frozenset({"root", "tty", "disk"})
"""Groups that a port has where a console is on it, or no rule of udev met it; they may do far more."""
_STOPPED: Final = frozenset("Tt")


def lock(host: Host) -> Iterator[Finding]:
    """Look who holds the lock of the journal: a daemon that runs, or what keeps one from starting."""
    name = "journal's lock"
    if host.journal is None:
        yield Finding(name, "cannot tell", "no configuration was given", "give one with --config")
        return
    file = lock_of(host.at(host.journal))
    try:
        file.stat()
        readable = os.access(file, os.R_OK)
    except FileNotFoundError:
        yield Finding(name, "well", "no daemon has written this journal yet")
        return
    except OSError:
        readable = False
    if not readable:
        yield Finding(
            name, "cannot tell", f"{host.named(file)} may not be read", "ask as root or as the daemon's user"
        )
        return
    yield _held(host, name, host.named(file), holder(file))


def _held(host: Host, name: str, file: str, pid: int | None) -> Finding:
    if pid is None:
        return Finding(name, "well", "nobody holds it")
    who, state = host.process(pid), (host.text(f"/proc/{pid}/stat") or "").rpartition(")")[2].split()
    match host.is_ours(pid):
        case None:
            words = f"it is held, and {who}, whom it names, cannot be seen"
            return Finding(name, "cannot tell", words, f"ask as root: fuser -v {file}")
        case False:
            words = f"{who} is no shoe-daemon, and holds it: no daemon can start"
            return Finding(name, "wrong", words, f"see what it is (fuser -v {file}) and end it")
        case True if state and state[0] in _STOPPED:
            words = f"{who} holds it and was stopped: it reads no card"
            return Finding(
                name, "wrong", words, f"let it go on (kill -CONT {pid}), or end it (kill -KILL {pid})"
            )
        case True:
            return Finding(name, "well", f"the daemon holds it: {who}")


def port_holder(host: Host) -> Iterator[Finding]:
    """Look who has the port open: two readers split its bytes, and a stranger keeps a daemon out."""
    name = "port's holder"
    if host.port is None:
        yield Finding(name, "cannot tell", "no configuration was given", "give one with --config")
        return
    if "://" in host.port:
        yield Finding(name, "well", f"{host.port} is on the network: nobody here holds it")
        return
    if not host.at(host.port).exists():
        yield Finding(name, "cannot tell", f"{host.port} is not there")
        return
    node = host.leads_to(host.port)
    pids, blind = _open_at(host, node)
    daemon = None if host.journal is None else holder(lock_of(host.at(host.journal)))
    ours = [pid for pid in pids if pid == daemon or host.is_ours(pid)]
    others = ", ".join(host.process(pid) for pid in pids if pid not in ours)
    end = f"end it (fuser -v {node} tells more), and see that nothing starts it again"
    if others and is_keyboard(host.port):
        yield _beside_keyboard(host, name, node, others, ours)
    elif others and ours:
        yield Finding(
            name, "wrong", f"{others} reads {node} beside the daemon: each gets some of the bytes", end
        )
    elif others:
        yield Finding(name, "wrong", f"{others} holds {node}: the daemon cannot open it", end)
    elif len(ours) > 1:
        words = f"more than one shoe-daemon has {node} open: {', '.join(map(host.process, ours))}"
        yield Finding(name, "wrong", words, "leave one of them running")
    elif ours:
        yield Finding(name, "well", f"{host.process(ours[0])}")
    elif blind:
        yield Finding(
            name, "cannot tell", "what other users' programs hold is not shown", "ask as root (sudo)"
        )
    else:
        yield Finding(name, "well", f"nobody holds {node}")


def _beside_keyboard(host: Host, name: str, node: str, others: str, ours: list[int]) -> Finding:
    """Others at a keyboard, which many may have open: all of them get its keys, until one grabs it."""
    if ours:
        words = f"{host.process(ours[0])}; {others} has {node} open too, and gets no key while it is grabbed"
        return Finding(name, "well", words)
    words = f"{others} has {node} open: it gets what is scanned until the daemon grabs it, or has grabbed it"
    advice = f"if the daemon says that it is busy, end that one (fuser -v {node} tells more)"
    return Finding(name, "cannot tell", words, advice)


def _open_at(host: Host, node: str) -> tuple[list[int], bool]:
    """Ids of the processes that have `node` open, and whether there are some that may not be looked into."""
    pids: list[int] = []
    blind = not host.at("/proc").is_dir()
    for pid, _ in host.processes():
        try:
            aims = [_aim(file) for file in host.at(f"/proc/{pid}/fd").iterdir()]
        except PermissionError:
            blind = True
        except OSError:
            continue  # it ended meanwhile
        else:
            pids += [pid] * (node in aims)
    return pids, blind


def _aim(file: Path) -> str:
    try:
        return str(file.readlink())
    except OSError:
        return ""  # closed meanwhile


def groups(host: Host) -> Iterator[Finding]:
    """Look whether the daemon's user, that of the systemd unit or else this one, may open the port."""
    unit = _unit(host)
    named, known = _table(host, "/etc/group"), _table(host, "/etc/passwd")
    group = _needed(host, named)
    if unit is None and host.user != 0 and _owns(host):
        yield Finding("groups", "well", f"{host.port} belongs to the user who asks")
        return
    if group not in named:
        yield Finding("groups", "cannot tell", f"there is no group {group} here")
        return
    if group in _NOBODYS:
        words = f"{host.port} belongs to the group {group}, into which no daemon should go"
        rule = f'SUBSYSTEM=="tty", KERNEL=="{_node(host)}", GROUP="dialout", MODE="0660"'
        if is_keyboard(host.port or ""):
            rule = 'SUBSYSTEM=="input", KERNEL=="event*", GROUP="input", MODE="0660"'
        advice = f"take the console off it, or write into /etc/udev/rules.d/99-shoe-port.rules: {rule}"
        yield Finding("groups", "wrong", words, advice)
        return
    if unit is not None:
        yield _of_unit(unit, group, named, known)
        return
    user = next((name for name, fields in known.items() if fields[2] == str(host.user)), f"user {host.user}")
    join = f"usermod -aG {group} {user}, and log in again"
    if host.user == 0:
        words = f"asked as root, who may open everything, and no {_UNIT} names the daemon's user"
        yield Finding("groups", "cannot tell", words, "ask as the user that the daemon will run as")
    elif int(named[group][2]) in host.groups:
        yield Finding("groups", "well", f"{user} is in {group}")
    elif user in named[group][3].split(","):
        words = f"{user} is in {group}, but this session began before that"
        yield Finding("groups", "wrong", words, "log out and in again, or start the machine again")
    else:
        yield Finding("groups", "wrong", f"{user} is not in {group}, and may not open the port", join)


def _of_unit(
    unit: dict[str, str], group: str, named: dict[str, list[str]], known: dict[str, list[str]]
) -> Finding:
    """The group of the port beside the user whom the systemd unit names."""
    user = unit.get("User", "root")
    if user in {"root", "0"}:
        words = f"{_UNIT} runs the daemon as root, whom no lock keeps from a port that another program reads"
        return Finding(
            "groups", "wrong", words, f"give it a user of its own: User=, SupplementaryGroups={group}"
        )
    if user not in known:
        words = f"{_UNIT} names the user {user}, who is not there"
        return Finding("groups", "wrong", words, f"useradd --system --no-create-home {user}")
    members = named[group][3].split(",")
    given = [*unit.get("SupplementaryGroups", "").split(), unit.get("Group", "")]
    if group in given or user in members or known[user][3] == named[group][2]:
        return Finding("groups", "well", f"{user}, whom {_UNIT} names, is in {group}")
    words = f"{user}, whom {_UNIT} names, is not in {group}, and may not open the port"
    return Finding("groups", "wrong", words, f"usermod -aG {group} {user}, and start the daemon again")


def _needed(host: Host, named: dict[str, list[str]]) -> str:
    """The group that may open the port: its own where it is there, else the one that Debian gives it."""
    usual = "input" if host.port is not None and is_keyboard(host.port) else "dialout"
    if host.port is None or "://" in host.port:
        return usual
    try:
        number = str(host.at(host.port).stat().st_gid)
    except OSError:
        return usual
    return next((name for name, fields in named.items() if fields[2] == number), usual)


def _owns(host: Host) -> bool:
    try:
        return "://" not in (host.port or "://") and host.at(host.port or "").stat().st_uid == host.user
    except OSError:
        return False


def _node(host: Host) -> str:
    return host.leads_to(host.port or "").rpartition("/")[2]


def _table(host: Host, path: str) -> dict[str, list[str]]:
    """Lines of /etc/passwd or /etc/group by their first field: name, password, number, number or members."""
    lines = [line.split(":") for line in (host.text(path) or "").splitlines()]
    return {line[0]: line for line in lines if len(line) > 3 and line[2].isdecimal()}  # noqa: PLR2004 - four fields


def _unit(host: Host) -> dict[str, str] | None:
    """The settings of the systemd unit and its drop-ins, the last word of each key; None without a unit."""
    file = next((file for folder in _FOLDERS if host.at(file := f"{folder}/{_UNIT}").is_file()), None)
    if file is None:
        return None
    files = [file, *(one for folder in _FOLDERS for one in host.found(f"{folder}/{_UNIT}.d/*.conf"))]
    settings: dict[str, str] = {}
    for line in "\n".join(filter(None, map(host.text, files))).splitlines():
        key, equals, value = line.partition("=")
        if equals and not key.startswith(("#", ";")):
            before = (
                settings.get(key.strip(), "")
                if key.strip() == "SupplementaryGroups" and value.strip()
                else ""
            )
            settings[key.strip()] = f"{before} {value.strip()}".strip()
    return settings
