from __future__ import annotations

import io
import json
import tempfile
import threading
import unittest
from pathlib import Path
from typing import Any, Callable, List
from unittest import mock

from postern import ApiProblem, FieldFault, Postern, Tokens
from scripted_service import Answer, ScriptedService, answer, lost, stream, torn

FINE = answer(200, {"ok": True, "folders": []})
SENT = answer(200, {"ok": True, "id": "o_1", "messageId": "<m>", "status": "sent", "rejected": []})
PAIR = answer(200, {"ok": True, "token": "t2", "refreshToken": "r2"})
MAIL: Any = {"to": "a@b.test", "subject": "s", "text": "t"}
TOKENS = Tokens("t1", "r1")


def refusal(status: int, retry_after: str | None = None, code: str = "busy") -> Answer:
    headers = {} if retry_after is None else {"retry-after": retry_after}
    return answer(status, {"code": code, "title": "Busy", "requestId": "r-1"}, headers)


class Case(unittest.TestCase):
    def setUp(self) -> None:
        self.waits: List[float] = []
        sleeping = mock.patch("time.sleep", self.waits.append)
        sleeping.start()
        self.addCleanup(sleeping.stop)

    def serve(self, *answers: Answer, **options: Any) -> tuple[Postern, ScriptedService]:
        service = ScriptedService(*answers)
        self.addCleanup(service.stop)
        return Postern(service.url + "/", **options), service

    def refused(self, call: Callable[[], object]) -> ApiProblem:
        with self.assertRaises(ApiProblem) as caught:
            call()
        return caught.exception


class Retries(Case):
    def test_repeats_a_repeatable_request_after_a_lost_connection(self) -> None:
        postern, service = self.serve(lost, torn, FINE)
        self.assertEqual(postern.folders(), [])
        self.assertEqual(len(service.asked), 3)

    def test_sends_one_key_with_all_attempts_of_a_send_and_another_with_the_next_send(self) -> None:
        postern, service = self.serve(lost, refusal(503), refusal(409, "1"), SENT)
        self.assertEqual(postern.send(**MAIL)["status"], "sent")
        postern.send(**MAIL)
        postern.send(**MAIL, idempotency_key="mine")
        keys = [asked.headers["idempotency-key"] for asked in service.asked]
        self.assertEqual(keys[:4], [keys[0]] * 4)
        self.assertNotEqual(keys[4], keys[0])
        self.assertEqual(keys[5], "mine")
        self.assertEqual(json.loads(service.asked[0].body), MAIL)

    def test_repeats_other_posts_only_after_a_429(self) -> None:
        for first in (lost, refusal(503, "1")):
            postern, service = self.serve(first, FINE)
            self.refused(lambda: postern.request("POST", "/api/settings/folders", json={"name": "Bills"}))
            self.assertEqual(len(service.asked), 1)
        postern, service = self.serve(refusal(429, "1"), FINE)
        postern.request("POST", "/api/settings/folders", json={"name": "Bills"})
        self.assertEqual(len(service.asked), 2)

    def test_waits_for_retry_after_plus_a_random_time(self) -> None:
        for _ in range(5):
            self.serve(refusal(429, "7"), FINE)[0].folders()
        self.assertTrue(all(7.25 <= wait <= 7.5 for wait in self.waits), self.waits)
        self.assertGreater(len(set(self.waits)), 1)

    def test_raises_the_last_answer_after_the_given_number_of_retries(self) -> None:
        cases: List[tuple[dict[str, Any], int]] = [({}, 4), ({"retries": 1}, 2), ({"retries": 0}, 1)]
        for options, tries in cases:
            postern, service = self.serve(refusal(503), **options)
            self.assertEqual(self.refused(postern.folders).status, 503)
            self.assertEqual(len(service.asked), tries)
        postern, _ = self.serve(lost)
        problem = self.refused(postern.folders)
        self.assertEqual((problem.status, problem.code), (0, "offline"))

    def test_does_not_wait_for_a_retry_after_beyond_its_limit(self) -> None:
        postern, service = self.serve(refusal(429, "31"), FINE)
        self.assertEqual(self.refused(postern.folders).retry_after, 31)
        self.assertEqual((len(service.asked), self.waits), (1, []))
        self.serve(refusal(429, "31"), FINE, most_retry_after=60)[0].folders()

    def test_does_not_retry_permanent_refusals(self) -> None:
        for status in (302, 400, 401, 404, 409, 422, 500):
            postern, service = self.serve(refusal(status), FINE)
            self.assertEqual(self.refused(postern.folders).status, status)
            self.assertEqual(len(service.asked), 1)


class Sessions(Case):
    def test_refreshes_an_expired_session_once_for_concurrent_threads(self) -> None:
        refreshes: List[str] = []
        together = threading.Barrier(5, timeout=5)

        def service(handler: Any) -> None:
            if handler.path == "/api/auth/refresh":
                refreshes.append(handler.path)
                PAIR(handler)
            elif handler.headers["authorization"] == "Bearer t2":
                FINE(handler)
            else:
                together.wait()
                refusal(401, code="unauthorized")(handler)

        kept: List[Tokens | None] = []
        postern, _ = self.serve(service, tokens=TOKENS, on_tokens=kept.append)
        threads = [threading.Thread(target=postern.folders) for _ in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((len(refreshes), kept), (1, [Tokens("t2", "r2")]))

    def test_ends_the_session_when_its_refresh_is_refused_and_keeps_it_otherwise(self) -> None:
        expired = refusal(401, code="unauthorized")
        for status, ends in ((401, True), (503, False)):
            kept: List[Tokens | None] = []
            postern, _ = self.serve(expired, refusal(status), tokens=TOKENS, on_tokens=kept.append, retries=0)
            self.assertEqual(self.refused(postern.folders).code, "unauthorized")
            self.assertEqual(kept, [None] if ends else [])

    def test_repeats_a_refresh_whose_answer_was_lost(self) -> None:
        postern, service = self.serve(refusal(401, code="unauthorized"), lost, PAIR, FINE, tokens=TOKENS)
        postern.folders()
        self.assertEqual(service.asked[-1].headers["authorization"], "Bearer t2")

    def test_does_not_refresh_when_the_mail_server_refused_the_password(self) -> None:
        postern, service = self.serve(refusal(401, code="mailbox_credentials_rejected"), tokens=TOKENS)
        self.refused(postern.folders)
        self.assertEqual(len(service.asked), 1)


def event(event_id: str) -> str:
    body = json.dumps({"id": event_id, "event": "email.sent", "timestamp": "t", "account": {"id": "acc_1", "email": "demo@postern.test"}, "data": {}})
    return f"id: {event_id}\nevent: email.sent\ndata: {body}\n\n"


class Events(Case):
    def ids_of(self, postern: Postern, count: int, **options: Any) -> List[str]:
        events = postern.events(**options)
        return [next(events)["id"] for _ in range(count)]

    def last_ids(self, service: ScriptedService) -> List[str | None]:
        return [asked.headers.get("last-event-id") for asked in service.asked]

    def test_resumes_after_the_last_event_or_the_start(self) -> None:
        postern, service = self.serve(
            stream(": hello\n\nid: start\n\n"),
            stream(event("one"), event("two")[:20]),
            stream(event("two").replace("\n", "\r\n")),
        )
        self.assertEqual(self.ids_of(postern, 2), ["one", "two"])
        self.assertEqual(self.last_ids(service), [None, "start", "one"])
        self.assertTrue(all(0.5 <= wait <= 2 for wait in self.waits), self.waits)

    def test_begins_after_a_given_event_and_reports_a_gap_before_the_next_event(self) -> None:
        postern, service = self.serve(stream("event: gap\ndata: {}\n\n", event("one")))
        steps: List[str] = []
        steps += self.ids_of(postern, 1, last_event_id="before", on_gap=lambda: steps.append("gap"))
        self.assertEqual(steps, ["gap", "one"])
        self.assertEqual(self.last_ids(service), ["before"])

    def test_reconnects_after_a_silence(self) -> None:
        spoken = threading.Event()
        self.addCleanup(spoken.set)

        def silent(handler: Any) -> None:
            stream(event("one"))(handler)
            spoken.wait(5)

        postern, _ = self.serve(silent, stream(event("two")))
        with mock.patch("postern.events.MAX_SILENCE_SECONDS", 0.2):
            self.assertEqual(self.ids_of(postern, 2), ["one", "two"])
        self.assertFalse(spoken.is_set())

    def test_raises_if_the_first_connection_fails_or_a_later_one_is_refused(self) -> None:
        postern, _ = self.serve(refusal(503), retries=0)
        self.assertEqual(self.refused(lambda: next(postern.events())).status, 503)
        postern, _ = self.serve(stream(event("one")), refusal(503), lost, refusal(401), retries=0)
        events = postern.events()
        next(events)
        self.assertEqual(self.refused(lambda: next(events)).status, 401)


class Calls(Case):
    def test_iterates_over_all_pages_by_cursor_and_fetches_a_page_when_it_is_needed(self) -> None:
        postern, service = self.serve(
            answer(200, {"ok": True, "emails": [{"uid": 3}, {"uid": 2}], "nextCursor": "c 1"}),
            answer(200, {"ok": True, "emails": [{"uid": 1}], "nextCursor": None}),
        )
        emails = postern.search(sender="a@b.test", unread=True, folder=None)
        self.assertEqual([next(emails)["uid"], next(emails)["uid"], len(service.asked)], [3, 2, 1])
        self.assertEqual([email["uid"] for email in emails], [1])
        wanted = "/api/search?from=a%40b.test&unread=true"
        self.assertEqual([asked.path for asked in service.asked], [wanted, f"{wanted}&cursor=c+1"])

    def test_uploads_a_path_bytes_and_an_open_file(self) -> None:
        def uploaded(content: Any, name: str | None = None) -> str:
            postern, service = self.serve(lost, answer(200, {"ok": True, "data": {"id": "u_1"}}))
            self.assertEqual(postern.upload(content, name=name)["id"], "u_1")
            boundary = service.asked[1].headers["content-type"].split("boundary=")[1]
            return service.asked[1].body.decode().replace(boundary, "BOUNDARY")

        wanted = (
            '--BOUNDARY\r\ncontent-disposition: form-data; name="file"; filename="a %22b%22.txt"\r\n'
            "content-type: text/plain\r\n\r\nhéllo\r\n--BOUNDARY--\r\n"
        )
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, 'a "b".txt')
            path.write_bytes("héllo".encode())
            with path.open("rb") as opened:
                forms = [uploaded(path), uploaded(str(path)), uploaded(opened), uploaded("héllo".encode(), path.name)]
        self.assertEqual(forms, [wanted] * 4)
        with self.assertRaises(ValueError):
            uploaded(io.BytesIO(b""))

    def test_downloads_as_a_file_and_sends_its_token_nowhere_else(self) -> None:
        postern, service = self.serve(FINE, tokens=TOKENS)
        with postern.download("/api/messages/m_1/raw?x=1") as file:
            self.assertEqual(file.read(5), b'{"ok"')
        self.assertEqual(service.asked[0].path, "/api/messages/m_1/raw?x=1")
        for url in ("https://elsewhere.test/x", "//elsewhere.test/x", "ftp:/x"):
            with self.assertRaises(ValueError):
                postern.download(url)
        below = Postern(f"{service.url}/mail", tokens=TOKENS)
        for url in ("/mail/api/messages/m_1/raw", "/api/messages/m_1/raw"):
            below.download(url).close()
            self.assertEqual(service.asked[-1].path, "/mail/api/messages/m_1/raw")
        for url in ("/mailbox/api/x", "/mail", "/other"):
            with self.assertRaises(ValueError):
                below.download(url)
        elsewhere, other = self.serve(FINE)
        postern, _ = self.serve(answer(302, {}, {"location": other.url}), tokens=TOKENS)
        self.assertEqual(self.refused(lambda: postern.download("/api/messages/m_1/raw")).status, 302)
        self.assertEqual(other.asked, [])

    def test_raises_the_code_the_status_the_fields_at_fault_and_the_id_of_the_request(self) -> None:
        errors = [{"field": "to", "message": "must be an e-mail address"}, "noise"]
        body = {"code": "invalid_request", "title": "t", "requestId": "r-1", "errors": errors}
        postern, service = self.serve(answer(400, body))
        problem = self.refused(lambda: postern.message("a/b"))
        self.assertEqual(service.asked[0].path, "/api/messages/a%2Fb")
        self.assertEqual((problem.code, problem.status, problem.request_id), ("invalid_request", 400, "r-1"))
        self.assertEqual(problem.errors, [FieldFault("to", "must be an e-mail address")])
        self.assertEqual(str(problem), "invalid_request: to must be an e-mail address")


if __name__ == "__main__":
    unittest.main()
