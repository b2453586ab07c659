"""Documents as the API takes them."""

from __future__ import annotations

from base64 import b64encode
from typing import Any


def pdf(data: bytes) -> dict[str, Any]:
    """A whole PDF file."""
    return {"type": "pdf", "encoding": "base64", "data": b64encode(data).decode("ascii")}


def raw(data: bytes) -> dict[str, Any]:
    """Bytes that the printer understands itself, such as ESC/POS or ZPL."""
    return {"type": "raw", "encoding": "base64", "data": b64encode(data).decode("ascii")}


def text(data: str) -> dict[str, Any]:
    """Text, which the service encodes for the printer."""
    return {"type": "text", "encoding": "utf8", "data": data}
