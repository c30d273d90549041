import { it } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { harness, type Harness, HARNESS_URL } from "@postern/harness";
import { Effect } from "effect";
import { describe, expect } from "vitest";
import { call, signIn } from "./call.ts";

const DEMO = AccountId("demo@postern.test");

const calendar = (method: string, lines: ReadonlyArray<string>) =>
  [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    `METHOD:${method}`,
    "BEGIN:VTIMEZONE",
    "TZID:Harbour",
    "BEGIN:STANDARD",
    "DTSTART:20071104T020000",
    "TZOFFSETFROM:-0400",
    "TZOFFSETTO:-0500",
    "END:STANDARD",
    "END:VTIMEZONE",
    "BEGIN:VEVENT",
    "UID:b1@y.test",
    "SEQUENCE:1",
    ...lines,
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ].join("\r\n");

const EVENT = [
  "DTSTART;TZID=Harbour:20271203T150000",
  "DURATION:PT1H",
  "SUMMARY:Budget\\, round",
  "LOCATION:Room Ohm",
  "ORGANIZER;CN=Olga Boss:mailto:boss@y.test",
];
const ME = "ATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:MAILTO:Demo@postern.test";
const INVITED = [...EVENT, ME, "ATTENDEE;CN=Cem;PARTSTAT=ACCEPTED:mailto:cem@y.test"];

const start = Effect.gen(function* () {
  const world = yield* harness;
  const { token } = (yield* signIn(world)).body;
  return { world, token };
});

/** Lets a message with a calendar arrive; returns its id and its invitation. */
const receive = Effect.fnUntraced(function* (world: Harness, token: string, text: string) {
  const raw =
    "From: Olga <boss@y.test>\r\nSubject: i\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=cut\r\n\r\n" +
    "--cut\r\nContent-Type: text/plain\r\n\r\nYou are invited.\r\n" +
    `--cut\r\nContent-Type: text/calendar; charset=utf-8; method=REQUEST\r\n\r\n${text}\r\n--cut--\r\n`;
  world.mail
    .account(DEMO)
    .mailbox("INBOX")
    .append(Buffer.from(raw), Date.UTC(2026, 0, 1));
  const { id } = (yield* call(world, "GET", "/api/inbox?limit=1", { token })).body.emails[0];
  const { invitation } = (yield* call(world, "GET", `/api/messages/${id}`, { token })).body.data;
  const answer = (json: unknown) => call(world, "POST", `/api/messages/${id}/invitation`, { token, json });
  return { invitation, answer };
});

describe("an invitation", () => {
  it.live("is read with instants by the calendar's own time zone [S5.8-6] [S5.8-7]", () =>
    Effect.gen(function* () {
      const { world, token } = yield* start;
      expect((yield* receive(world, token, calendar("REQUEST", INVITED))).invitation).toEqual({
        method: "request",
        uid: "b1@y.test",
        sequence: 1,
        summary: "Budget, round",
        location: "Room Ohm",
        start: "2027-12-03T20:00:00.000Z",
        end: "2027-12-03T21:00:00.000Z",
        allDay: false,
        recurs: false,
        cancelled: false,
        organizer: { name: "Olga Boss", address: "boss@y.test" },
        attendees: [
          { name: "", address: "Demo@postern.test", status: "needs-action" },
          { name: "Cem", address: "cem@y.test", status: "accepted" },
        ],
      });
      for (const [line, begin, end] of [
        ["DTSTART;TZID=Unknown:20271203T150000", "2027-12-03T15:00:00", "2027-12-03T16:00:00"],
        ["DTSTART;VALUE=DATE:20271203", "2027-12-03", "2027-12-04"],
      ] as const) {
        const lines = INVITED.with(0, line).filter((one) => !begin.endsWith("03") || !one.startsWith("DURATION"));
        const { invitation } = yield* receive(world, token, calendar("REQUEST", lines));
        expect([invitation.start, invitation.end]).toEqual([begin, end]);
      }
      expect((yield* receive(world, token, "BEGIN:VCALENDAR\r\nnonsense")).invitation).toBeNull();
    }).pipe(Effect.scoped),
  );

  it.live("is answered to the organizer alone [S5.8-8]", () =>
    Effect.gen(function* () {
      const { world, token } = yield* start;
      const { answer } = yield* receive(world, token, calendar("REQUEST", INVITED));
      expect(yield* answer({ answer: "perhaps" })).toMatchObject({
        status: 400,
        body: { errors: [{ field: "answer" }] },
      });
      const done = yield* answer({ answer: "tentative", comment: "Perhaps late; 5 min" });
      expect(done.body).toEqual({ ok: true, data: { answer: "tentative", to: "boss@y.test" } });
      const sent = (yield* call(world, "GET", "/api/inbox?folder=sent&limit=1", { token })).body.emails[0];
      expect(sent).toMatchObject({ subject: "Tentative: Budget, round", to: [{ address: "boss@y.test" }], cc: [] });
      const [file] = sent.attachments;
      expect(file.type).toBe("text/calendar");
      const url = new URL(`/api/messages/${sent.id}/attachments/${file.id}`, HARNESS_URL);
      const response = yield* world.request(new Request(url, { headers: { authorization: `Bearer ${token}` } }));
      const text = yield* Effect.promise(() => response.text());
      expect(text.split("\r\n")).toEqual([
        "BEGIN:VCALENDAR",
        "PRODID:-//Postern//EN",
        "VERSION:2.0",
        "METHOD:REPLY",
        "BEGIN:VEVENT",
        "UID:b1@y.test",
        "SEQUENCE:1",
        "DTSTAMP:20260101T000000Z",
        "SUMMARY:Budget\\, round",
        'ORGANIZER;CN="Olga Boss":mailto:boss@y.test',
        "ATTENDEE;PARTSTAT=TENTATIVE:mailto:Demo@postern.test",
        "COMMENT:Perhaps late\\; 5 min",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
      ]);
    }).pipe(Effect.scoped),
  );

  it.live.each<readonly [string, string]>([
    ["a cancellation", calendar("CANCEL", INVITED)],
    ["a cancelled event", calendar("REQUEST", [...INVITED, "STATUS:CANCELLED"])],
    [
      "an event without me",
      calendar(
        "REQUEST",
        INVITED.filter((line) => line !== ME),
      ),
    ],
    [
      "an event without an organizer",
      calendar(
        "REQUEST",
        INVITED.filter((line) => !line.startsWith("ORGANIZER")),
      ),
    ],
    ["my own event", calendar("REQUEST", INVITED.with(4, "ORGANIZER:mailto:demo@postern.test"))],
    ["a message without a calendar", "nothing"],
  ])("is not answered if it is %s [S5.8-9]", ([, text]) =>
    Effect.gen(function* () {
      const { world, token } = yield* start;
      const { answer } = yield* receive(world, token, text);
      expect(yield* answer({ answer: "accept" })).toMatchObject({
        status: 409,
        body: { code: "invitation_not_answerable" },
      });
    }).pipe(Effect.scoped),
  );
});
