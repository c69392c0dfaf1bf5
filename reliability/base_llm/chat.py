"""One call of an OpenAI-compatible chat-completions endpoint: an answer, a fault worth another try, or an error.

Nothing is streamed and no redirect is followed. The address and the key never appear in a message: what the other
side says may repeat them.
"""

from __future__ import annotations

import http.client
import json
import re
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from reliability.errors import InputError
from reliability.runner.records import Fault

URL, KEY = "RELIABILITY_LLM_URL", "RELIABILITY_LLM_KEY"
MAX_ANSWER = 16 * 2**20  # bytes
_PIECE = 65536
_TRY_AGAIN = frozenset({408, 409, 425, 429})
_CODE = re.compile(r"[a-z_]{1,60}")
_VISIBLE = re.compile(r"[\x21-\x7e]+")


class _TooLongError(Exception):
    """A body has more bytes than any answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model said."""

    text: str
    """Empty if it gave none; then `reason` says why."""
    model: str
    """As the endpoint names it."""
    finish_reason: str
    """``stop``; ``length`` if the answer was cut off."""
    tokens: Mapping[str, int]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is asked; made by :func:`endpoint_from`."""

    scheme: str
    host: str
    port: int | None
    path: str
    key: str | None = field(repr=False)
    timeout: float = 600.0
    """Seconds for one call, all of it."""
    clock: Callable[[], float] = time.monotonic

    def ask(self, request: Mapping[str, object]) -> Answer | Fault:
        """Send one request. Raises :class:`InputError` if the endpoint refuses it for good (key, model, address)."""
        deadline = self.clock() + self.timeout
        try:
            status, headers, body = self._post(json.dumps(request).encode(), deadline)
        except TimeoutError:
            return Fault(f"the endpoint did not answer within {self.timeout:g} s")
        except http.client.IncompleteRead:
            return Fault("the endpoint's answer was cut off")
        except _TooLongError:
            return Fault(f"the endpoint's answer has more than {MAX_ANSWER} bytes")
        except ssl.SSLCertVerificationError:
            raise InputError(f"{URL}: the certificate of the endpoint is not valid") from None
        except (OSError, http.client.HTTPException, UnicodeError) as error:
            return Fault(f"the endpoint cannot be reached: {type(error).__name__}")
        if status in _TRY_AGAIN or status >= 500:
            return Fault(f"the endpoint answered {_status(status, body)}", retry_after(headers.get("Retry-After")))
        if status != 200:
            raise InputError(f"the endpoint in {URL} refuses the request: {_status(status, body)}")
        return read_answer(body)

    def _post(self, body: bytes, deadline: float) -> tuple[int, http.client.HTTPMessage, bytes]:
        kind = http.client.HTTPSConnection if self.scheme == "https" else http.client.HTTPConnection
        connection = kind(self.host, self.port, timeout=self.timeout)
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        try:
            connection.request("POST", self.path, body, headers)
            sock = connection.sock  # the connection lets go of it when the answer is its last
            self._limit(sock, deadline)
            response = connection.getresponse()
            return response.status, response.headers, self._read(response, sock, deadline)
        finally:
            connection.close()

    def _read(self, response: http.client.HTTPResponse, sock: Any, deadline: float) -> bytes:
        """The body, in pieces: a server that sends a byte a second must not hold us for ever."""
        pieces: list[bytes] = []
        n = 0
        while n <= MAX_ANSWER:
            self._limit(sock, deadline)
            piece = response.read1(_PIECE)
            if not piece:
                if response.length:  # less than the header promised
                    raise http.client.IncompleteRead(b"")
                return b"".join(pieces)
            pieces.append(piece)
            n += len(piece)
        raise _TooLongError

    def _limit(self, sock: Any, deadline: float) -> None:
        left = deadline - self.clock()
        if left <= 0:
            raise TimeoutError
        if sock.fileno() >= 0:
            sock.settimeout(left)


def endpoint_from(environment: Mapping[str, str], *, timeout: float = 600.0) -> Endpoint:
    """The endpoint that the environment names: ``https://host/v1``, with or without ``/chat/completions``.

    Raises :class:`InputError`, which repeats neither address nor key, if it cannot be one.
    """
    url, key = environment.get(URL, "").strip(), environment.get(KEY, "").strip()
    if not url:
        raise InputError(f"{URL} is not set; give the address of a chat-completions endpoint, e.g. https://host/v1")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if (
        not host
        or not _VISIBLE.fullmatch(url)
        or parts.scheme not in ("http", "https")
        or parts.username
        or parts.query
        or parts.fragment
    ):
        raise InputError(f"{URL}: not an address like https://host/v1")
    if key and not _VISIBLE.fullmatch(key):
        raise InputError(f"{KEY}: holds characters that no key has")
    path = parts.path.rstrip("/")
    if not path.endswith("/chat/completions"):
        path += "/chat/completions"
    return Endpoint(parts.scheme, host, port, path, key or None, timeout)


def _status(status: int, body: bytes) -> str:
    """The status in words, and the error's code if it is a plain one; its text may repeat the key and is not shown."""
    words = f"{status} {http.client.responses.get(status, '')}".strip()
    try:
        error = json.loads(body)["error"]
        codes = [error.get("code"), error.get("type")]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return words
    code = next((c for c in codes if isinstance(c, str) and _CODE.fullmatch(c)), None)
    return f"{words} ({code})" if code else words


def retry_after(value: str | None, now: datetime | None = None) -> float | None:
    """Seconds to wait by a ``Retry-After`` header: a number, or a date; ``None`` if it says neither (RFC 9110, 10.2.3).

    A date in the past is 0.
    """
    text = (value or "").strip()
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]*)?", text):
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, IndexError):
        return None
    if moment.tzinfo is None:  # "-0000": UTC without saying where it was written
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - (now or datetime.now(UTC))).total_seconds())


def read_answer(body: bytes) -> Answer | Fault:
    """What a response with status 200 says; one that is no answer is a fault of the endpoint, not of the model."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return Fault("the endpoint's answer is not JSON")
    choices = data.get("choices") if isinstance(data, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    if not isinstance(first, dict) or not isinstance(message, dict):
        return Fault("the endpoint's answer holds no choice")
    finish = first.get("finish_reason")
    finish = finish if isinstance(finish, str) and _CODE.fullmatch(finish) else "not told"
    text = _text(message.get("content"))
    model = data.get("model")
    reason = "" if text else f"no text in the answer (finish_reason: {finish})"
    return Answer(text, model if isinstance(model, str) else "", finish, _tokens(data.get("usage")), reason)


def _text(content: object) -> str:
    """Text is a string, or a list of parts of which some are text."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict) and part.get("type") == "text"]
        content = "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _tokens(usage: object) -> dict[str, int]:
    if not isinstance(usage, dict):
        return {}
    counts = {name: usage.get(f"{name}_tokens") for name in ("prompt", "completion")}
    return {name: n for name, n in counts.items() if isinstance(n, int) and not isinstance(n, bool) and n >= 0}
