"""Tests against the sandbox of a service at POSTERN_URL."""

from __future__ import annotations

import os
import tempfile
import threading
import unittest
from pathlib import Path
from typing import List

from postern import ApiProblem, Postern, Tokens

URL = os.environ.get("POSTERN_URL", "")


def signed_in(email: str) -> Postern:
    postern = Postern(URL)
    postern.sign_in(email, "demo")
    return postern


@unittest.skipIf(URL == "", "POSTERN_URL is not set")
class Sandbox(unittest.TestCase):
    def test_sends_an_uploaded_file_finds_it_page_by_page_and_downloads_it(self) -> None:
        demo, friend = signed_in("demo@postern.test"), signed_in("friend@postern.test")
        letters = b"a" * 100_000 + "ü".encode() * 50_000
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "letters.txt")
            path.write_bytes(letters)
            file = demo.upload(path)
        self.assertEqual((file["name"], file["size"], file["type"]), ("letters.txt", 200_000, "text/plain"))
        with demo.download(file["url"]) as download:
            self.assertEqual(download.read(), letters)
        for number in range(3):
            subject = f"python client {number}"
            receipt = demo.send(to="friend@postern.test", subject=subject, text=".", attachments=[{"id": file["id"]}])
            self.assertEqual(receipt["status"], "sent")
        self.assertEqual(demo.outbox()[0]["id"], receipt["id"])
        found = list(friend.search(folder="inbox", subject="python client", limit=2))
        self.assertEqual(len(found), 3)
        message = friend.message(found[0]["id"])
        self.assertEqual(message["subject"], "python client 2")
        with friend.download(message["attachments"][0]["url"]) as download:
            self.assertEqual(download.read(), letters)
        with friend.download(message["rawUrl"]) as download:
            self.assertIn(b"Subject: python client 2", download.read())
        self.assertIn("inbox", [folder["id"] for folder in friend.folders()])
        self.assertEqual(next(friend.inbox(limit=1))["id"], found[0]["id"])

    def test_follows_events_and_resumes(self) -> None:
        demo = signed_in("demo@postern.test")

        def send() -> None:
            for number in range(2):
                demo.send(to="demo@postern.test", subject=f"event {number}", text=".")

        sending = threading.Timer(1, send)
        sending.start()
        self.addCleanup(sending.join)
        received = (event for event in demo.events() if event["event"] == "email.received")
        first, second = next(received), next(received)
        self.assertEqual([one["data"]["subject"] for one in (first, second)], ["event 0", "event 1"])
        resumed = (event for event in demo.events(last_event_id=first["id"]) if event["event"] == "email.received")
        self.assertEqual(next(resumed)["id"], second["id"])

    def test_refreshes_a_stored_session_and_ends_it(self) -> None:
        kept: List[Tokens | None] = []
        Postern(URL, on_tokens=kept.append).sign_in("demo@postern.test", "demo")
        assert kept[0] is not None
        postern = Postern(URL, tokens=Tokens("expired", kept[0].refresh_token), on_tokens=kept.append)
        self.assertTrue(postern.folders())
        self.assertEqual(len(kept), 2)
        postern.sign_out()
        with self.assertRaises(ApiProblem) as caught:
            postern.folders()
        self.assertEqual((caught.exception.status, caught.exception.code), (401, "unauthorized"))


if __name__ == "__main__":
    unittest.main()
