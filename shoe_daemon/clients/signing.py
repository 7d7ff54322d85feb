"""Ed25519 signatures under a page of text, so that the page can be checked by whoever has the public key.

A key is a PEM file, as `openssl genpkey -algorithm ed25519` makes it, that only its owner can read. The two
last lines of a signed page are the public key and the signature of every byte before them.
"""

import stat
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

_KEY: Final = "ed25519 key: "
_SIGNATURE: Final = "signature: "
_FOR_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


class SigningError(Exception):
    """A key cannot be used, or a page is not what was signed; the text says which, why, and what to do."""


def load_key(path: Path) -> Ed25519PrivateKey:
    """Read the key at `path`. Raises SigningError."""
    try:
        mode = path.stat().st_mode
        data = path.read_bytes()
    except OSError as error:
        raise SigningError(f"{path}: cannot be read: {error.strerror}") from error
    if mode & _FOR_OTHERS:
        raise SigningError(f"{path}: others may read it: chmod 600, and make a new key if they did")
    try:
        key = load_pem_private_key(data, None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise SigningError(f"{path}: is no private key in PEM without a pass phrase: {error}") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise SigningError(f"{path}: is no Ed25519 key: openssl genpkey -algorithm ed25519 -out FILE")
    return key


def signed(page: str, key: Ed25519PrivateKey) -> str:
    """Put the public key and the signature under `page`."""
    page = page if page.endswith("\n") else page + "\n"
    text = f"{page}{_KEY}{key.public_key().public_bytes_raw().hex()}\n"
    return f"{text}{_SIGNATURE}{b64encode(key.sign(text.encode())).decode()}\n"


def check(text: str, public: str | None = None) -> str:
    """Give the public key, hex, that signed `text`, and must be `public` where that is given.

    Raises SigningError where the text is unsigned, changed, or signed by another key.
    """
    body, found, signature = text.rstrip("\n").rpartition(f"\n{_SIGNATURE}")
    key = body.rpartition("\n")[2]
    if not found or not key.startswith(_KEY):
        raise SigningError("bears no signature: its two last lines are to be a key and a signature")
    name = key.removeprefix(_KEY)
    if public is not None and name != public.strip().lower():
        raise SigningError(f"is signed by the key {name}, not by the one asked for")
    try:
        signer = Ed25519PublicKey.from_public_bytes(bytes.fromhex(name))
        signer.verify(b64decode(signature, validate=True), f"{body}\n".encode())
    except (ValueError, InvalidSignature) as error:
        raise SigningError("was changed after it was signed, or the signature is not of this key") from error
    return name
