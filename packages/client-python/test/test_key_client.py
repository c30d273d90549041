"""The client of an application, with and without asyncio."""

from __future__ import annotations

import asyncio
import json
import unittest
from typing import Any, Coroutine
from unittest import mock

from postern import ApiProblem, Postern
from scripted_service import Answer, ScriptedService, answer, lost, stream

try:
    import httpx
except ImportError:
    httpx = None  # type: ignore[assignment]

MESSAGE = answer(200, {"ok": True, "data": {"id": "m", "subject": "Hi"}})
SENT = answer(200, {"ok": True, "messageId": "<m>", "status": "sent", "rejected": []})
BUSY = answer(429, {"code": "too_many_requests"}, {"retry-after": "1"})
ABSENT = answer(404, {"code": "message_not_found", "title": "No message"})
EVENT = {"id": "evt_1", "event": "email.sent", "timestamp": "", "account": {}, "data": {"subject": "a\u2028b"}}


def page(cursor: str | None, *emails: str) -> Answer:
    return answer(200, {"ok": True, "emails": list(emails), "nextCursor": cursor})


class Case(unittest.TestCase):
    def setUp(self) -> None:
        self.waits: list[float] = []
        sleeping = mock.patch("time.sleep", self.waits.append)
        sleeping.start()
        self.addCleanup(sleeping.stop)

    def serve(self, *answers: Answer) -> ScriptedService:
        service = ScriptedService(*answers)
        self.addCleanup(service.stop)
        return service


EMAIL = {"id": "a"}
FEED = [
    {"event": "email.received", "data": {"id": "c"}},
    {"event": "email.moved", "data": {"id": "a", "folder": "Work"}},
    {"event": "email.flags_changed", "data": {"id": "a", "unread": False}},
    {"event": "email.sent", "data": {"messageId": "<m>"}},
    {"event": "email.deleted", "data": {"id": "a"}},
]


class Stopped(Exception):
    """Raised to end a program."""


class Copy:
    """A program that keeps a copy, until it stores the position `last`."""

    def __init__(self, last: str) -> None:
        self.done: list[str] = []
        self._last = last

    def handlers(self) -> dict[str, Any]:
        return {
            "on_message": lambda one: self.done.append(f"message {one['id']}"),
            "on_moved": lambda one: self.done.append(f"moved {one['id']} to {one['folder']}"),
            "on_flags": lambda one: self.done.append(f"flags {one['id']} {one['unread']}"),
            "on_gone": lambda one: self.done.append(f"gone {one}"),
            "on_position": self._store,
            "known": lambda: ["a", "z"],
        }

    def _store(self, position: str) -> None:
        self.done.append(f"position {position}")
        if position == self._last:
            raise Stopped


def feed(following: str, *events: Any) -> Answer:
    return answer(200, {"ok": True, "data": list(events), "next": following, "more": False})


SYNCED = [
    answer(410, {"code": "feed_expired"}),
    feed("e.1"),
    answer(503, {"code": "listing_not_ready"}),
    answer(200, {"ok": True, "data": [EMAIL], "nextCursor": None}),
    feed("e.2", *FEED),
    answer(404, {"code": "message_not_found"}),
    answer(200, {"ok": True, "data": EMAIL}),
    answer(200, {"ok": True, "emails": [{"id": "s"}]}),
    feed("e.3", {"event": "email.moved", "data": {"id": "c", "folder": "Work"}}),
    answer(200, {"ok": True, "data": {"id": "c"}}),
]
SYNC_STEPS = [
    "message a",
    "gone z",
    "position e.1",
    "message a",
    "moved a to Work",
    "flags a False",
    "message s",
    "gone a",
    "message c",
    "moved c to Work",
    "position e.3",
]


class WithKey(Case):
    def test_keeps_a_copy_in_step(self) -> None:
        service = self.serve(*SYNCED)
        copy = Copy("e.3")
        client = Postern(service.url, key="psk_1", retries=0)
        with self.assertRaises(Stopped):
            client.sync("ada@example.com", position="old.1", **copy.handlers())
        self.assertEqual(copy.done, SYNC_STEPS)
        self.assertEqual({asked.headers["postern-account"] for asked in service.asked}, {"ada@example.com"})
        self.assertEqual(service.asked[0].path, "/api/changes?after=old.1&folders=%2A%2Cjunk%2Ctrash&wait=30")
        with self.assertRaises(ValueError):
            client.sync(**copy.handlers())

    def test_sends_its_key_and_the_account_to_a_service_below_a_path(self) -> None:
        service = self.serve(MESSAGE)
        client = Postern(f"{service.url}/mail", key="psk_1")
        self.assertEqual(client.account("ada@example.com").messages.read("a/b")["subject"], "Hi")
        client.accounts.get("ada@example.com")
        first, second = service.asked
        self.assertEqual((first.method, first.path), ("GET", "/mail/api/messages/a%2Fb"))
        self.assertEqual(second.path, "/mail/api/accounts/ada%40example.com")
        self.assertEqual([asked.headers["authorization"] for asked in service.asked], ["Bearer psk_1"] * 2)
        self.assertEqual([asked.headers.get("postern-account") for asked in service.asked], ["ada@example.com", None])

    def test_sends_a_version_and_one_key_with_all_attempts(self) -> None:
        service = self.serve(lost, BUSY, SENT)
        receipt = Postern(service.url, key="psk_1").account("a@b.test").drafts.send("dr_1", version="v2")
        self.assertEqual(receipt["messageId"], "<m>")
        self.assertEqual({asked.headers["if-match"] for asked in service.asked}, {"v2"})
        self.assertEqual(len({asked.headers["idempotency-key"] for asked in service.asked}), 1)
        self.assertGreaterEqual(self.waits[1], 1.0)

    def test_explains_how_to_read_a_member_of_a_listing(self) -> None:
        thread = Postern("http://127.0.0.1:9", key="psk_1").account("a@b.test").search.thread("m1")
        with self.assertRaisesRegex(TypeError, r"\.page\(\)\['emails'\]"):
            thread["emails"]

    def test_iterates_over_pages_and_names_the_sender_of_a_search(self) -> None:
        service = self.serve(page("c1", "a", "b"), page(None, "c"))
        box = Postern(service.url, key="psk_1").account("a@b.test")
        self.assertEqual(list(box.search(sender="x@y.test", unread=True, limit=2)), ["a", "b", "c"])
        self.assertEqual(service.asked[1].path, "/api/search?from=x%40y.test&unread=true&limit=2&cursor=c1")

    def test_sends_a_payload_by_name_and_refuses_an_empty_id(self) -> None:
        service = self.serve(answer(200, {"ok": True, "data": {"email": "a@b.test"}}))
        client = Postern(service.url, key="psk_1")
        client.accounts.add(email="a@b.test", password="p")
        self.assertEqual(json.loads(service.asked[0].body), {"email": "a@b.test", "password": "p"})
        with self.assertRaises(ValueError):
            client.accounts.get("")
        self.assertEqual(len(service.asked), 1)

    def test_reads_the_feed_of_all_accounts_or_of_one(self) -> None:
        service = self.serve(answer(200, {"ok": True, "data": [EVENT], "next": "e.1", "more": False}))
        client = Postern(service.url, key="psk_1")
        part = client.changes(after="e.0", types="email.sent", wait=20)
        self.assertEqual(([event["id"] for event in part["data"]], part["next"]), (["evt_1"], "e.1"))
        client.account("ada@example.com").changes()
        self.assertEqual(service.asked[0].path, "/api/changes?after=e.0&types=email.sent&wait=20")
        self.assertEqual([asked.headers.get("postern-account") for asked in service.asked], [None, "ada@example.com"])

    def test_returns_the_position_at_which_an_expired_feed_continues(self) -> None:
        service = self.serve(answer(410, {"code": "feed_expired", "title": "Expired", "next": "e.7"}))
        with self.assertRaises(ApiProblem) as raised:
            Postern(service.url, key="psk_1").changes(after="e.0")
        self.assertEqual((raised.exception.code, raised.exception.member("next")), ("feed_expired", "e.7"))
        self.assertIsNone(raised.exception.member("checks"))

    def test_waits_for_longer_than_a_read_of_the_feed(self) -> None:
        with mock.patch("postern.transport.Transport._open", side_effect=ApiProblem(410, {})) as opening:
            with self.assertRaises(ApiProblem):
                Postern("http://127.0.0.1:1", key="psk_1", retries=0).changes(wait=60)
        self.assertGreater(opening.call_args.args[1], 60)

    def test_uses_one_account_without_a_key(self) -> None:
        with self.assertRaises(ValueError):
            Postern("http://127.0.0.1:1").account("a@b.test")
        with self.assertRaises(ValueError):
            Postern("http://127.0.0.1:1", key="psk_1").sign_in("a@b.test", "p")


@unittest.skipIf(httpx is None, "httpx is not installed")
class WithAsyncio(Case):
    def run_with(self, service: ScriptedService, use: Any) -> Any:
        from postern import AsyncPostern

        async def whole() -> Any:
            async with AsyncPostern(f"{service.url}/mail", key="psk_1") as client:
                return await use(client)

        async def soon(seconds: float) -> None:
            self.waits.append(seconds)

        with mock.patch("postern.async_client.asyncio.sleep", soon):
            coroutine: Coroutine[Any, Any, Any] = whole()
            return asyncio.run(coroutine)

    def test_reads_retries_and_distinguishes_problems_by_code(self) -> None:
        service = self.serve(lost, BUSY, MESSAGE, ABSENT)

        async def use(client: Any) -> Any:
            box = client.account("ada@example.com")
            subject = (await box.messages.read("m"))["subject"]
            with self.assertRaises(ApiProblem) as caught:
                await box.messages.read("gone")
            return subject, caught.exception.code

        self.assertEqual(self.run_with(service, use), ("Hi", "message_not_found"))
        self.assertEqual(service.asked[0].headers["postern-account"], "ada@example.com")
        self.assertGreaterEqual(self.waits[1], 1.0)

    def test_iterates_over_pages_and_awaits_one(self) -> None:
        service = self.serve(page("c1", "a", "b"), page(None, "c"))

        async def use(client: Any) -> Any:
            found = [email async for email in client.account("a@b.test").inbox(limit=2)]
            return found, (await client.account("a@b.test").inbox())["emails"]

        self.assertEqual(self.run_with(service, use), (["a", "b", "c"], ["c"]))

    def test_follows_events_and_resumes_after_the_last(self) -> None:
        data = json.dumps(EVENT, ensure_ascii=False)
        service = self.serve(stream("event: gap\n\n", f"id: 7\ndata: {data}\n\n"), stream(f"id: 8\ndata: {data}\n\n"))
        gaps: list[int] = []

        async def use(client: Any) -> Any:
            found = []
            async for event in client.account("a@b.test").events(on_gap=lambda: gaps.append(1)):
                found.append(event["data"]["subject"])
                if len(found) == 2:
                    return found

        self.assertEqual(self.run_with(service, use), ["a\u2028b", "a\u2028b"])
        self.assertEqual(gaps, [1])
        self.assertEqual(service.asked[1].headers["last-event-id"], "7")

    def test_follows_the_events_of_all_accounts(self) -> None:
        service = self.serve(stream(f"id: e.7\ndata: {json.dumps(EVENT)}\n\n"))

        async def use(client: Any) -> Any:
            async for event in client.events(folders=["*", "junk"], last_event_id="e.6"):
                return event["data"]["subject"]

        self.assertEqual(self.run_with(service, use), "a\u2028b")
        self.assertEqual(service.asked[0].path, "/api/events?folders=%2A%2Cjunk")
        self.assertNotIn("postern-account", service.asked[0].headers)

    def test_keeps_a_copy_in_step(self) -> None:
        service = self.serve(*SYNCED)
        copy = Copy("e.3")

        async def known() -> list[str]:
            return ["a", "z"]

        async def use(client: Any) -> Any:
            with self.assertRaises(Stopped):
                await client.sync("ada@example.com", position="old.1", **{**copy.handlers(), "known": known})

        self.run_with(service, use)
        self.assertIn("position e.1", copy.done)
        self.assertIn("gone z", copy.done)


if __name__ == "__main__":
    unittest.main()
