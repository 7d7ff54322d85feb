"""The proof of a coup: it holds with the public key alone, and no byte of it can be changed."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from shoe_daemon.runtime import proving
from shoe_daemon.runtime.journal import Journal
from shoe_daemon.runtime.proof import Proof, ProofError, Proven, check, encode
from shoe_daemon.runtime.proving import prove
from shoe_daemon.runtime.resume import resume
from shoe_daemon.runtime.rows import Reader
from tests.runtime.journals import CHECKPOINT, PUBLIC, SIGNER, Played, open_journal, write_keys
from tests.traces.bless import TRACES, names

FIRST = '{"t": 0, "profile": "beetek-rs232", "rules": "nsw", "procedure": "dealer-reveal", "table": "BAC-07"}'
DEALT = ("5S", "6H", "KC", "KD", "6C", "QD")


class Evening:
    """A table whose journal is signed after each part of an evening that is played."""

    def __init__(self, journal: Journal, first: str = FIRST) -> None:
        self._t = 0
        self.journal = journal
        self.signs = journal.signs
        self._played = Played(journal, first)

    def play(self, *lines: str) -> None:
        self._played.play(lines)
        if self.signs:
            self.journal.append([CHECKPOINT])

    def said(self, verb: str, actor: str = "supervisor:1", **args: object) -> str:
        self._t += 1
        return json.dumps({"t": self._t, "cmd": {"verb": verb, "actor": actor, "args": args}})

    def drawn(self, face: str) -> str:
        self._t += 1
        return json.dumps({"t": self._t, "rx": f" [Game]<Card:{face}> \r\n".encode().hex()})

    def coup(self, *faces: str) -> list[str]:
        return [
            self.said("no_more_bets"),
            *map(self.drawn, faces[:4]),
            self.said("reveal"),
            *[line for face in faces[4:] for line in (self.drawn(face), self.said("reveal"))],
            self.said("confirm"),
        ]


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """Two shoes: three coups in the first, the last of them void, the first corrected; one in the second."""
    evening = Evening(open_journal(tmp_path / "j.db", signer=SIGNER))
    evening.play(*evening.coup(*DEALT))
    evening.play(*evening.coup("9S", "2H", "KD", "5C"))
    evening.play(evening.said("no_more_bets"), evening.drawn("9D"), evening.said("void"))
    evening.play(evening.said("correct", slot="B1", card="6S", coup=1))
    evening.play(evening.said("close_shoe"))
    evening.play(evening.said("load_shoe"), *evening.coup("9H", "3H", "KH", "5H"), evening.said("close_shoe"))
    yield evening
    evening.journal.close()


@pytest.fixture
def journal(evening: Evening) -> Journal:
    return evening.journal


def proven(journal: Reader, coup: int, shoe: int) -> Proven:
    return check(encode(prove(journal, coup, shoe)), [PUBLIC])


def hands(found: Proven) -> list[Any]:
    return [(one.data["outcome"], one.data["player"]["cards"], one.data["revision"]) for one in found.results]


def test_each_coup_is_proven_by_itself(journal: Journal) -> None:
    corrected, plain, void, other = (proven(journal, *which) for which in ((1, 1), (2, 1), (3, 1), (1, 2)))
    assert hands(corrected) == [("banker", ["5S", "KC", "6C"], 1), ("banker", ["5S", "KC", "6C"], 2)]
    assert hands(plain) == [("player", ["9S", "KD"], 1)]
    assert [one.type for one in void.results] == ["coup.void"]
    assert hands(other) == [("player", ["9H", "KH"], 1)]
    assert (plain.table, plain.journal, plain.shoe, plain.coup) == ("BAC-07", journal.id, 1, 2)
    assert plain.keys == (PUBLIC,)
    assert list(plain.rows) == list(range(plain.rows[0], plain.rows[-1] + 1))
    assert list(corrected.rows) != list(range(corrected.rows[0], corrected.rows[-1] + 1))
    assert plain.begin < plain.end
    assert prove(journal, 1) == prove(journal, 1, 2)


def test_every_changed_byte_is_found(journal: Journal) -> None:
    data = encode(prove(journal, 3, 1))
    for place in range(len(data)):
        for flip in {1 << place % 8, 0x20}:  # the case of a letter too
            changed = data[:place] + bytes([data[place] ^ flip]) + data[place + 1 :]
            with pytest.raises(ProofError):
                check(changed, [PUBLIC])
    for changed in (b"", data[:-1], data + b"\n", b" " + data, json.dumps(json.loads(data)).encode()):
        with pytest.raises(ProofError):
            check(changed, [PUBLIC])


def test_every_row_left_out_twice_or_exchanged_is_found(journal: Journal) -> None:
    proof = prove(journal, 1, 1)
    rows = proof.rows
    tried: list[Sequence[object]] = [rows[::-1], ()]
    for at in range(len(rows)):
        tried += [rows[:at] + rows[at + 1 :], rows[: at + 1] + rows[at:], rows[at:], rows[:at]]
        tried += [(*rows[:at], *rows[at : at + 2][::-1], *rows[at + 2 :])] if at + 1 < len(rows) else []
    for changed in tried:
        if changed in {rows, ()} and changed == rows:
            continue
        with pytest.raises(ProofError):
            check(encode(replace(proof, rows=changed)), [PUBLIC])
    for checkpoints in ((), proof.checkpoints[:1], proof.checkpoints[::-1], proof.checkpoints * 2):
        with pytest.raises(ProofError):
            check(encode(replace(proof, checkpoints=checkpoints)), [PUBLIC])


@pytest.mark.parametrize("shoe", [1, 2])
@pytest.mark.parametrize("coup", [1, 2, 3])
def test_another_coups_rows_cannot_be_passed_off(journal: Journal, shoe: int, coup: int) -> None:
    """Whatever coup a proof is said to be of, its own rows alone do; a checkpoint too many is refused too."""
    for mine in ((1, 1), (2, 1), (3, 1), (1, 2)):
        proof = prove(journal, *mine)
        claimed = replace(proof, coup=coup, shoe=shoe)
        if (coup, shoe) == mine:
            continue
        with pytest.raises(ProofError):
            check(encode(claimed), [PUBLIC])
    for field in ("table", "journal"):
        with pytest.raises(ProofError, match="is not what was signed"):
            check(encode(replace(prove(journal, 1, 1), **{field: "other"})), [PUBLIC])


def test_a_coup_that_begins_late_is_found_by_its_cards(journal: Journal, evening: Evening) -> None:
    """The second result of a coup before it is no beginning: cards would be missing."""
    evening.play(evening.said("load_shoe"), *evening.coup("9H", "3H", "KH", "5H"))
    evening.play(
        evening.said("no_more_bets"),
        *map(evening.drawn, ("8H", "2C")),
        evening.said("correct", slot="P1", card="9C", coup=1),
        *map(evening.drawn, ("QH", "5C")),
        evening.said("reveal"),
        evening.said("confirm"),
        evening.said("close_shoe"),
    )
    proof = prove(journal, 2)
    told = [row for row in proof.rows if row.kind == "told" and b'"revision":2' in row.body]
    late = tuple(row for row in proof.rows if row.pos >= told[0].pos - 1)
    assert len(late) < len(proof.rows)
    with pytest.raises(ProofError, match=r"not every card of coup 2 of shoe \d is in it"):
        check(encode(replace(proof, rows=late, checkpoints=proof.checkpoints[1:])), [PUBLIC])


def test_a_key_that_was_not_named_proves_nothing(journal: Journal) -> None:
    with pytest.raises(ProofError, match="which is none of those named"):
        check(encode(prove(journal, 1, 1)), ["00" * 32])


def test_nothing_of_an_open_shoe_is_given_away(journal: Journal, evening: Evening) -> None:
    evening.play(evening.said("load_shoe"), *evening.coup("9H", "3H", "KH", "5H"))
    evening.play(evening.said("no_more_bets"), evening.drawn("8H"))
    for shoe in (3, None):
        with pytest.raises(ProofError, match="shoe 3 is open"):
            prove(journal, 1, shoe)
    assert proven(journal, 2, 1).coup == 2
    evening.play(evening.said("correct", slot="B2", card="5D", coup=2, shoe=1))
    with pytest.raises(ProofError, match="coup 2 of shoe 1 was spoken of again with shoe 3 open"):
        prove(journal, 2, 1)
    evening.play(evening.said("void"), evening.said("close_shoe"))
    assert len(proven(journal, 2, 1).results) == 2


def test_what_is_not_there_or_not_signed_yet_is_said(tmp_path: Path, evening: Evening) -> None:
    plain = open_journal(tmp_path / "plain.db")
    with pytest.raises(ProofError, match="no shoe was ever loaded"):
        prove(plain, 1)
    unsigned = Evening(plain)
    unsigned.play(*unsigned.coup(*DEALT), unsigned.said("close_shoe"))
    with pytest.raises(ProofError, match="holds no checkpoint, so nothing in it is signed: name a key"):
        prove(plain, 1)
    plain.close()
    signed = open_journal(tmp_path / "plain.db", signer=SIGNER)
    signed.append([CHECKPOINT])
    assert proven(signed, 1, 1).coup == 1
    signed.close()

    evening.signs = False
    evening.play(evening.said("load_shoe"), *evening.coup(*DEALT), evening.said("close_shoe"))
    with pytest.raises(ProofError, match=r"no checkpoint covers row \d+ yet: one is written when"):
        prove(evening.journal, 1)
    for coup, shoe in ((2, 3), (1, 9)):
        with pytest.raises(ProofError, match=f"shoe {shoe} has no coup {coup} that has ended"):
            prove(evening.journal, coup, shoe)


@pytest.mark.parametrize("name", names())
def test_every_coup_of_every_trace_can_be_proven(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once its shoe is closed; here it counts as closed where the trace ends."""
    first, *rest = (TRACES / f"{name}.capture.jsonl").read_text().splitlines()
    fields = json.loads(first)
    first = json.dumps({**fields, "table": "BAC-07"})
    journal = open_journal(tmp_path / "j.db", signer=SIGNER)
    Played(journal, first).play(rest)
    journal.append([CHECKPOINT])
    table, views = resume(journal)
    monkeypatch.setattr(proving, "resume", lambda _: (replace(table, shoe=None), views))
    ended = {
        (one["coup"], one["shoe"])
        for one in (msgspec.json.decode(message.body) for message in journal.told())
        if one["type"] in {"coup.result", "coup.void"}
    }
    for coup, shoe in ended:
        found = proven(journal, coup, shoe)
        assert found.results[-1].type in {"coup.result", "coup.void", "coup.invalidated"}
    journal.close()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_the_commands_need_the_file_and_then_the_key_alone(journal: Journal, tmp_path: Path) -> None:
    private, public = write_keys(tmp_path)
    made = tmp_path / "openssl.pem"
    subprocess.run(["openssl", "pkey", "-in", private, "-pubout", "-out", made], check=True)
    assert made.read_bytes() == public.read_bytes()

    def run(*arguments: object) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "shoe_daemon", "journal", *map(str, arguments)],
            capture_output=True,
            text=True,
            check=False,
        )

    made_proof = run("prove", journal.path, "--coup", 1, "--shoe", 1)
    assert made_proof.returncode == 0
    assert "not for players or the cage" in made_proof.stderr
    proof = tmp_path / "proof.json"
    proof.write_text(made_proof.stdout)
    well = run("check-proof", proof, "--public-key", made)
    assert well.returncode == 0
    for words in ("BAC-07", "1, 1", "revision 1", "revision 2", "5S KC", journal.id, PUBLIC):
        assert words in well.stdout
    assert json.loads(run("check-proof", proof, "--public-key", public, "--json").stdout)["ok"] is True
    void = tmp_path / "void.json"
    void.write_text(run("prove", journal.path, "--coup", 3, "--shoe", 1).stdout)
    assert "void at" in run("check-proof", void, "--public-key", public).stdout
    proof.write_text(made_proof.stdout.replace('"coup":1', '"coup":2', 1))
    bad = run("check-proof", proof, "--public-key", public)
    assert (bad.returncode, "from the end of the one before" in bad.stdout) == (1, True)
    assert run("check-proof", tmp_path / "absent", "--public-key", public).returncode == 2
    assert run("check-proof", proof, "--public-key", proof).returncode == 2
    assert run("prove", journal.path, "--coup", 9).returncode == 1
    assert run("prove", tmp_path / "absent", "--coup", 9).returncode == 2


def test_a_proof_of_a_journal_that_was_changed_is_refused(journal: Journal) -> None:
    journal._writer.execute("UPDATE row SET at = at + 1 WHERE pos = 9")
    with pytest.raises(ProofError, match="are not what was signed: journal verify names"):
        prove(journal, 1, 1)


def test_a_proof_is_read_back_as_it_was_made(journal: Journal) -> None:
    proof = prove(journal, 1, 1)
    assert msgspec.json.decode(encode(proof), type=Proof) == proof
