"""Files of keys: what they hold, what is refused, and that nothing secret is said."""

from pathlib import Path

import pytest

from shoe_daemon.runtime.config import check, load_config
from shoe_daemon.runtime.gate import MOST, Refusals, new_pair
from shoe_daemon.runtime.keys import SERVER_KEY, SERVER_PUB, Entry, KeyFileError, Keys, read_pair, write_pair
from tests.runtime.test_config import LEAST

KEY = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7"


@pytest.fixture
def keys(tmp_path: Path) -> Keys:
    found = Keys(tmp_path / "keys")
    found.make(new_pair())
    return found


def test_a_pair_is_for_its_owner_alone_and_never_written_over(keys: Keys) -> None:
    file = keys.folder / SERVER_KEY
    before = file.read_bytes()
    assert file.stat().st_mode & 0o777 == 0o600
    assert (keys.folder / SERVER_PUB).read_text().strip() == keys.server().public == keys.server_public()
    with pytest.raises(KeyFileError, match="is there already"):
        write_pair(file, new_pair())
    with pytest.raises(KeyFileError, match="is there already"):
        keys.make(new_pair())
    assert file.read_bytes() == before
    assert {path.name for path in keys.folder.iterdir()} == {SERVER_KEY, SERVER_PUB}


def test_a_pair_that_others_may_read_is_refused(keys: Keys) -> None:
    file = keys.folder / SERVER_KEY
    file.chmod(0o640)
    for look in (keys.look, keys.server, lambda: read_pair(file)):
        with pytest.raises(KeyFileError, match="mode 0640"):
            look()


def test_a_broken_pair_is_told_without_what_is_in_it(keys: Keys) -> None:
    file = keys.folder / SERVER_KEY
    pair = keys.server()
    file.write_text(f'public = "{pair.public}"\nsecret = "{pair.secret[:-1]}"\n')
    with pytest.raises(KeyFileError) as raised:
        keys.server()
    assert pair.secret[:-1] not in str(raised.value)
    assert pair.secret not in repr(pair)


@pytest.mark.parametrize("key", [KEY[:-1], KEY + "0", "0" * 40, KEY[:-1] + "~", "", KEY + "\n" + KEY])
def test_what_is_no_key_is_refused_wherever_it_stands(keys: Keys, tmp_path: Path, key: str) -> None:
    pair, file, server = keys.server(), tmp_path / "mine.key", keys.folder / SERVER_PUB
    text = '"""' + key + '"""'
    for words in (
        f'public = {text}\nsecret = "{pair.secret}"\n',
        f'public = "{pair.public}"\nsecret = {text}\n',
    ):
        file.write_text(words)
        file.chmod(0o600)
        with pytest.raises(KeyFileError, match=rf"^{file}: is no pair of keys"):
            read_pair(file)
    server.write_text(key + "\n")
    with pytest.raises(KeyFileError, match=rf"^{server}: is no public key"):
        keys.server_public()
    wrong: list[str] = []
    (keys.folder / "allowed" / "cage").mkdir(parents=True)
    (keys.folder / "allowed" / "cage" / "cage-1.toml").write_text(f"key = {text}\n")
    assert list(keys.entries("cage", wrong.append)) == []
    assert "cage-1.toml:1: key" in wrong[0]


def test_a_line_end_after_a_public_key_is_none_of_it(keys: Keys) -> None:
    (keys.folder / SERVER_PUB).write_text(f"{KEY}\r\n\n")
    assert keys.server_public() == KEY


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (Entry("cage", "../up", KEY), "is no name"),
        (Entry("cage", ".hidden", KEY), "is no name"),
        (Entry("cage", "c", KEY[:-1]), "is no public key"),
        (Entry("cage", "c", KEY, ("dealer",)), "roles go with control"),
        (Entry("control", "c", KEY), "roles go with control"),
        (Entry("control", "c", KEY, ("croupier",)), "is no role"),
    ],
)
def test_what_is_no_key_is_not_allowed(keys: Keys, entry: Entry, words: str) -> None:
    with pytest.raises(KeyFileError, match=words):
        keys.allow(entry)
    assert not (keys.folder / "allowed").exists()


def test_keys_are_allowed_once_and_revoked_by_name(keys: Keys) -> None:
    keys.allow(Entry("control", "pit-1", KEY, ("dealer", "casino_supervisor")))
    with pytest.raises(KeyFileError, match="already, as pit-1"):
        keys.allow(Entry("control", "pit-2", KEY, ("dealer",)))
    with pytest.raises(KeyFileError, match="is there already"):
        keys.allow(Entry("control", "pit-1", new_pair().public, ("dealer",)))
    wrong: list[str] = []
    assert list(keys.entries("control", wrong.append)) == [
        Entry("control", "pit-1", KEY, ("dealer", "casino_supervisor"))
    ]
    keys.revoke("control", "pit-1")
    assert list(keys.entries("control", wrong.append)) == []
    with pytest.raises(KeyFileError, match="no key pit-1"):
        keys.revoke("control", "pit-1")
    assert wrong == []


def test_a_file_that_cannot_be_read_lets_nobody_in_and_keeps_nobody_out(keys: Keys) -> None:
    keys.allow(Entry("cage", "cage-1", KEY))
    (keys.folder / "allowed" / "cage" / "broken.toml").write_text("key = 7\n")
    wrong: list[str] = []
    assert [one.name for one in keys.entries("cage", wrong.append)] == ["cage-1"]
    (words,) = wrong
    assert "broken.toml:1: key" in words


def test_a_refusal_is_told_once_in_a_while_and_few_strangers_at_a_door() -> None:
    refusals = Refusals()
    assert [refusals.worth("cage", "a", at) for at in (0.0, 1.0, 599.0, 601.0)] == [True, False, False, True]
    strangers = [refusals.worth("public", f"key {n}", 700.0) for n in range(MOST + 3)]
    assert strangers == [True] * MOST + [False] * 3
    assert refusals.worth("control", "a", 700.0)


def test_with_keys_an_endpoint_may_be_open_to_others(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    text = LEAST + '[feed]\ncage = "tcp://0.0.0.0:5574"\nhidden_cards = "immediate"\n'
    file.write_text(text)
    assert {one.key for one in check(file).problems} == {"feed.cage", "feed.hidden_cards"}
    file.write_text(text + '\n[keys]\nfolder = "keys"\n')
    (problem,) = check(file).problems
    assert (problem.key, "keys new" in problem.message) == ("keys.folder", True)
    Keys(tmp_path / "keys").make(new_pair())
    assert load_config(file).keys == tmp_path / "keys"
