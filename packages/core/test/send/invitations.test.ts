import { it } from "@effect/vitest";
import { Effect, Layer, Result } from "effect";
import * as Base64 from "effect/encoding/Base64";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { type Invitation, Messages } from "../../src/messages/index.ts";
import { ApprovalNeeded } from "../../src/send/agents/check-agent.ts";
import { type Identity, Identities, Invitations, MessageSender } from "../../src/send/index.ts";
import type { SendRequest } from "../../src/send/neighbours.ts";
import { ME } from "../messages/mailbox-in-memory.ts";

const NOW = 1_900_000_000_000;
const person = (address: string, name = "") => ({ name, address });

const INVITATION: Invitation = {
  method: "request",
  uid: "u,1",
  sequence: 2,
  summary: "Plan;\r\nB",
  location: "",
  start: "2030-03-17T10:00:00.000Z",
  end: null,
  allDay: false,
  recurs: false,
  cancelled: false,
  organizer: person("Boss@y.test", 'The "Boss"'),
  attendees: [
    { ...person("other@y.test"), status: "accepted" },
    { ...person("ALIAS@x.test", "Me"), status: "needs-action" },
  ],
  recurrenceId: "RECURRENCE-ID:20300317T100000Z",
};

/** Answers an invitation to `me@x.test`, who has the verified alias `alias@x.test`; returns the answer and what was sent. */
const answering = (
  invitation: Partial<Invitation> | null,
  request: Parameters<Invitations["Service"]["answer"]>[2] = { answer: "accept" },
  isOutside = false,
) => {
  const sent: Array<SendRequest> = [];
  const parsed = invitation === null ? {} : { invitation: { ...INVITATION, ...invitation } };
  const identity = (address: string, verified: boolean) => ({ address, verified }) as Identity;
  const ports = Layer.mergeAll(
    Layer.mock(Messages, { read: () => Effect.succeed({ parsed: Result.succeed(parsed) } as never) }),
    Layer.mock(Identities, {
      page: () =>
        Effect.succeed({
          items: [identity(ME, true), identity("alias@x.test", true), identity("new@x.test", false)],
          nextCursor: null,
        }),
    }),
    Layer.mock(MessageSender, {
      send: (_, message) =>
        Effect.suspend(() => {
          sent.push(message);
          return isOutside ? new ApprovalNeeded() : Effect.succeed({} as never);
        }),
    }),
  );
  return Effect.gen(function* () {
    yield* TestClock.setTime(NOW);
    const answer = yield* Effect.result((yield* Invitations).answer(ME, "m", request, null));
    return { answer: answer._tag === "Success" ? answer.success : answer.failure._tag, sent };
  }).pipe(Effect.provide(Layer.provide(Invitations.layer, ports)));
};

describe("the answer to an invitation", () => {
  it.effect("is mailed to the organizer from the invited identity, with a calendar [S5.8-8]", () =>
    Effect.gen(function* () {
      const { answer, sent } = yield* answering({}, { answer: "tentative", comment: "If,\nso" });
      expect(answer).toBe("Boss@y.test");
      const [{ attachments, ...message }] = sent as [SendRequest];
      expect(message).toEqual({
        from: "ALIAS@x.test",
        to: { address: "Boss@y.test" },
        subject: "Tentative: Plan; B",
        text: "If,\nso",
      });
      const [{ content, ...file }] = attachments as [{ content: string }];
      expect(file).toEqual({ name: "reply.ics", type: "text/calendar; method=REPLY" });
      expect(Result.getOrThrow(Base64.decodeString(content)).split("\r\n")).toEqual([
        "BEGIN:VCALENDAR",
        "PRODID:-//Postern//EN",
        "VERSION:2.0",
        "METHOD:REPLY",
        "BEGIN:VEVENT",
        "UID:u\\,1",
        "SEQUENCE:2",
        "DTSTAMP:20300317T174640Z",
        "RECURRENCE-ID:20300317T100000Z",
        "SUMMARY:Plan\\;\\nB",
        `ORGANIZER;CN="The 'Boss'":mailto:Boss@y.test`,
        `ATTENDEE;CN="Me";PARTSTAT=TENTATIVE:mailto:ALIAS@x.test`,
        "COMMENT:If\\,\\nso",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
      ]);
    }),
  );

  it.effect.each([
    ["accept", "Accepted", "ACCEPTED"],
    ["tentative", "Tentative", "TENTATIVE"],
    ["decline", "Declined", "DECLINED"],
  ] as const)("%s says so in the subject, in the text and in the calendar", ([answer, word, status]) =>
    Effect.gen(function* () {
      const summary = "x".repeat(600);
      const { sent } = yield* answering({ summary, recurrenceId: null }, { answer });
      expect(sent[0]).toMatchObject({ subject: `${word}: ${summary}`.slice(0, 500), text: `${word}: ${summary}` });
      const { content } = (sent[0]!.attachments as ReadonlyArray<{ content: string }>)[0]!;
      const lines = Result.getOrThrow(Base64.decodeString(content)).split("\r\n");
      expect(lines.some((line) => line.includes(`PARTSTAT=${status}`))).toBe(true);
      expect(lines.filter((line) => line.startsWith("RECURRENCE-ID") || line.startsWith("COMMENT"))).toEqual([]);
      // With the space of its continuation.
      const at = lines.findIndex((line) => line.startsWith("SUMMARY"));
      expect(lines.slice(at, at + 3).map(({ length }) => length)).toEqual([74, 74, 74]);
    }),
  );

  it.effect.each<readonly [string, Partial<Invitation> | null]>([
    ["no invitation", null],
    ["another method", { method: "cancel" }],
    ["a cancelled event", { cancelled: true }],
    ["no organizer", { organizer: null }],
    ["only other people", { attendees: INVITATION.attendees.slice(0, 1) }],
    ["an identity that is not verified", { attendees: [{ ...person("new@x.test"), status: "accepted" }] }],
    ["the account as the organizer", { organizer: person("Me@x.test") }],
  ])("is refused for %s [S5.8-9]", ([, invitation]) =>
    Effect.gen(function* () {
      expect(yield* answering(invitation)).toEqual({ answer: "InvitationNotAnswerable", sent: [] });
    }),
  );

  it.effect("may have a comment of 1000 characters, and is not sent outside of a policy", () =>
    Effect.gen(function* () {
      const comment = "c".repeat(1_000);
      expect((yield* answering({}, { answer: "accept", comment })).sent).toMatchObject([{ text: comment }]);
      expect((yield* answering({}, { answer: "accept", comment: `${comment}c` })).answer).toBe("InputInvalid");
      expect((yield* answering({}, { answer: "no" as "accept" })).answer).toBe("InputInvalid");
      expect((yield* answering({}, { answer: "accept" }, true)).answer).toBe("OutsidePolicy");
    }),
  );
});
