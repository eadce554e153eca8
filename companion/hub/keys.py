"""Keys of clubs and tokens of boxes: long random words. The hub keeps only their hashes, so that
whoever reads its database cannot speak for anybody."""

from __future__ import annotations

import hashlib
import hmac
import secrets

KEY_BYTES = 24


def new_key() -> str:
    return secrets.token_urlsafe(KEY_BYTES)


def key_hash(key: str) -> str:
    """Random words of this length need no slow hash: nobody can try them all."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def fits(key: str, kept_hash: str) -> bool:
    return hmac.compare_digest(key_hash(key), kept_hash)
