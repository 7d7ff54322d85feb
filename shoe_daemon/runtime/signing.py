"""Ed25519 keys in PEM files, as openssl makes them.

`openssl genpkey -algorithm ed25519 -out key.pem` (mode 0600) makes the one that signs, and
`openssl pkey -in key.pem -pubout -out public.pem` the one that is given to whoever checks.
"""

import stat
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_pem_public_key

from shoe_daemon.runtime.checkpoint import Signer

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


def load_signer(path: Path) -> Signer:
    """Who signs with the key at `path`. Raises SigningError."""
    key = load_key(path)
    return Signer(key.public_key().public_bytes_raw().hex(), key.sign)


def load_public(path: Path) -> str:
    """The public key at `path`, hex. Raises SigningError."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SigningError(f"{path}: cannot be read: {error.strerror}") from error
    try:
        key = load_pem_public_key(data)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise SigningError(
            f"{path}: is no public key in PEM: openssl pkey -in KEY -pubout -out FILE makes it of the key"
        ) from error
    if not isinstance(key, Ed25519PublicKey):
        raise SigningError(f"{path}: is no Ed25519 key")
    return key.public_bytes_raw().hex()


def is_signed(by: str, signature: str, what: bytes) -> bool:
    """Whether `signature`, hex in small letters, is that of the public key `by`, hex, for `what`."""
    try:
        given = bytes.fromhex(signature)
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(by)).verify(given, what)
    except (ValueError, InvalidSignature):
        return False
    return given.hex() == signature
