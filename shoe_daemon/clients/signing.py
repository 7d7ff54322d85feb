"""Ed25519 signatures under a page of text, so that the page can be checked by whoever has the public key.

A key is a PEM file, as `openssl genpkey -algorithm ed25519` makes it, that only its owner can read. The two
last lines of a signed page are the public key and the signature of every byte before them.
"""

from base64 import b64decode, b64encode
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from shoe_daemon.runtime.signing import SigningError, load_key

__all__ = ["SigningError", "check", "load_key", "signed"]

_KEY: Final = "ed25519 key: "
_SIGNATURE: Final = "signature: "


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
