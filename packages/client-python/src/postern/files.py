"""Files for uploads."""

from __future__ import annotations

import mimetypes
import os
import secrets
from pathlib import Path
from typing import BinaryIO, Union

#: A path, the bytes themselves, or a file that is open in binary mode.
Content = Union["str | os.PathLike[str]", bytes, BinaryIO]


def form_of(content: Content, name: str | None, media_type: str | None) -> tuple[str, bytes]:
    """Returns the media type and the bytes of a form with one file."""
    if isinstance(content, bytes):
        content_bytes, found = content, None
    elif isinstance(content, (str, os.PathLike)):
        content_bytes, found = Path(content).read_bytes(), Path(content).name
    else:
        given = getattr(content, "name", None)
        content_bytes, found = content.read(), Path(given).name if isinstance(given, str) else None
    name = name or found
    if name is None:
        raise ValueError("name is required for bytes")
    media_type = media_type or mimetypes.guess_type(name)[0] or "application/octet-stream"
    boundary = secrets.token_hex(16)
    escaped = name.replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")
    head = (
        f'--{boundary}\r\ncontent-disposition: form-data; name="file"; filename="{escaped}"\r\n'
        f"content-type: {media_type}\r\n\r\n"
    )
    tail = f"\r\n--{boundary}--\r\n"
    return f"multipart/form-data; boundary={boundary}", head.encode() + content_bytes + tail.encode()
