"""A signed page: what was signed is found whole, every change is found, a careless key is refused."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from shoe_daemon.clients.signing import SigningError, check, load_key, signed

PAGE = "Table BAC-07\n416 = 71 read + 1 unread + 11 burned + 333 counted\n"


@pytest.fixture
def key() -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


def test_what_was_signed_is_whole(key: Ed25519PrivateKey) -> None:
    public = key.public_key().public_bytes_raw().hex()
    text = signed(PAGE, key)
    assert text.startswith(PAGE)
    assert check(text) == public
    assert check(text, public.upper()) == public
    assert check(signed(PAGE.rstrip("\n"), key)) == public


def test_every_changed_byte_is_found(key: Ed25519PrivateKey) -> None:
    text = signed(PAGE, key)
    for place in range(len(text) - 1):
        changed = text[:place] + chr(ord(text[place]) ^ 1) + text[place + 1 :]
        with pytest.raises(SigningError):
            check(changed)


def test_a_page_of_another_key_or_of_none_is_found(key: Ed25519PrivateKey) -> None:
    other = Ed25519PrivateKey.from_private_bytes(bytes(32)).public_key().public_bytes_raw().hex()
    with pytest.raises(SigningError, match="not by the one asked for"):
        check(signed(PAGE, key), other)
    with pytest.raises(SigningError, match="bears no signature"):
        check(PAGE)
    with pytest.raises(SigningError, match="bears no signature"):
        check("")


def test_a_key_is_read_as_openssl_writes_it_and_only_if_nobody_else_can(
    key: Ed25519PrivateKey, tmp_path: Path
) -> None:
    file = tmp_path / "key.pem"
    with pytest.raises(SigningError, match="cannot be read"):
        load_key(file)
    file.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    file.chmod(0o640)
    with pytest.raises(SigningError, match="others may read it"):
        load_key(file)
    file.chmod(0o600)
    assert load_key(file).private_bytes_raw() == bytes(range(32))
    ec = generate_private_key(SECP256R1())
    file.write_bytes(ec.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    with pytest.raises(SigningError, match="no Ed25519 key"):
        load_key(file)
    file.write_bytes(b"nonsense")
    with pytest.raises(SigningError, match="no private key"):
        load_key(file)
