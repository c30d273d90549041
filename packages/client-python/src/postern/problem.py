"""The error of every call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping, cast

if TYPE_CHECKING:
    from .types import ProblemCode


@dataclass(frozen=True)
class FieldFault:
    """A fault of a request: the field, and what it must be."""

    field: str
    message: str


class ApiProblem(Exception):
    """An answer other than a success, or a missing answer: `status` 0 and `code` `offline`.

    `code` identifies the problem; a newer service may have codes that `ProblemCode` does not list. `errors` has the
    fields at fault, `request_id` finds the request in the log of the service, and `retry_after` is the number of seconds
    to wait, if the answer names it.
    """

    def __init__(self, status: int, body: object, retry_after: float | None = None) -> None:
        members: Mapping[str, Any] = body if isinstance(body, dict) else {}
        self.status = status
        self.code = cast("ProblemCode", str(members.get("code") or "unknown"))
        self.title = str(members.get("title") or f"The service answered {status}.")
        self.errors = [
            FieldFault(error["field"], error["message"])
            for error in members.get("errors") or []
            if isinstance(error, dict) and {"field", "message"} <= error.keys()
        ]
        self.request_id: str | None = members.get("requestId")
        self.retry_after = retry_after
        self._members = members
        faults = "; ".join(f"{fault.field} {fault.message}" for fault in self.errors)
        super().__init__(f"{self.code}: {faults or members.get('detail') or self.title}")

    def member(self, name: str) -> Any:
        """Returns a member that only some problems have, such as `next` of `feed_expired`; None if the problem lacks it."""
        return self._members.get(name)
