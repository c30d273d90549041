import { it } from "@effect/vitest";
import { Effect, Layer, Result } from "effect";
import { describe, expect } from "vitest";
import type { HeaderField } from "../../src/mail/index.ts";
import { MessageNotFound, Messages, MessageUnparsable } from "../../src/messages/index.ts";
import type { SendRequest } from "../../src/send/neighbours.ts";
import { completeAnswer } from "../../src/send/replies/answered-message.ts";
import { answerText, forwardSubject, forwardText, replySubject } from "../../src/send/replies/reply-template.ts";
import { AccountId } from "../../src/shared/index.ts";
import { summaryWith } from "../messages/summary.ts";

const ME = AccountId("me@x.test");
const ANN = { name: "Ann", address: "ann@x.test" };
const BOB = { name: "", address: "bob@x.test" };
const ORIGINAL = summaryWith({ subject: "Lunch", from: ANN, to: [{ name: "", address: ME }, BOB] });

const noted = (summary = ORIGINAL, headers: ReadonlyArray<HeaderField> = [], isReadable = true) => {
  const reads: Array<string> = [];
  const layer = Layer.mock(Messages, {
    read: (_, id) => {
      reads.push(id);
      return id === "m_gone"
        ? Effect.fail(new MessageNotFound())
        : Effect.succeed({
            id,
            folder: { id: "f", path: "INBOX" },
            summary,
            attachments: [],
            parsed: isReadable
              ? Result.succeed({ headers, text: "At noon?", html: null, calendar: null } as never)
              : Result.fail(new MessageUnparsable({ reason: "malformed" })),
            truncated: false,
            automatic: false,
            inReplyTo: null,
            references: [],
          });
    },
  });
  const complete = (request: SendRequest) =>
    Effect.flatMap(Messages, (messages) => completeAnswer(messages, ME, request)).pipe(Effect.provide(layer));
  return { complete, reads };
};

describe("a request to answer or to forward", () => {
  it.effect.each<[string, SendRequest]>([
    ["is neither", { subject: "S", to: "a@y.test" }],
    ["is neither and empty", {}],
    ["is both", { replyToMessageId: "m_1", forwardOf: "m_1" }],
    ["is a complete answer", { replyToMessageId: "m_1", to: "a@y.test", subject: "S", text: "T" }],
    ["is a complete answer in HTML", { replyToMessageId: "m_1", to: "a@y.test", subject: "S", html: "H" }],
    ["is a complete forward without recipients", { forwardOf: "m_1", subject: "S", text: "T" }],
  ])("stays as it is, and reads no message, if it %s", ([, request]) =>
    Effect.gen(function* () {
      const { complete, reads } = noted();
      expect(yield* complete(request)).toBe(request);
      expect(reads).toEqual([]);
    }),
  );

  it.effect("takes what it lacks from the original", () =>
    Effect.gen(function* () {
      const { complete } = noted();
      const answer = yield* complete({ replyToMessageId: "m_1" });
      expect(answer).toMatchObject({ to: [ANN], subject: "Re: Lunch", replyToMessageId: "m_1" });
      expect(answer.text).toContain("> At noon?");
      const forward = yield* complete({ forwardOf: "m_1" });
      expect(forward).toMatchObject({ subject: "Fwd: Lunch", forwardOf: "m_1" });
      expect(forward.to).toBeUndefined();
      expect(forward.text).toContain("\nAt noon?\n");
    }),
  );

  it.effect("keeps the fields that it has", () =>
    Effect.gen(function* () {
      const { complete } = noted();
      const asked: Required<Omit<SendRequest, "subject" | "text" | "html" | "forwardOf">> = {
        from: "id_1",
        to: "c@y.test",
        cc: "d@y.test",
        bcc: "e@y.test",
        replyTo: "f@y.test",
        attachments: [{ id: "u_1" }],
        inReplyTo: "<a@y.test>",
        references: "<a@y.test>",
        headers: { "X-A": "b" },
        unsubscribe: { url: "https://y.test" },
        trackOpens: true,
        replyToMessageId: "m_1",
        force: true,
        sendAt: "2030-01-01T00:00:00Z",
        expiresAfter: "2h",
      };
      expect(yield* complete({ ...asked, text: "No" })).toEqual({ ...asked, subject: "Re: Lunch", text: "No" });
      expect(yield* complete({ ...asked, subject: "S" })).toMatchObject({ ...asked, subject: "S" });
      const inHtml = yield* complete({ ...asked, html: "<p>No</p>" });
      expect([inHtml.html, inHtml.text]).toEqual(["<p>No</p>", undefined]);
      expect((yield* complete({ replyToMessageId: "m_1", subject: "S", text: "T" })).to).toEqual([ANN]);
    }),
  );

  it.effect("goes to Reply-To or, for the account's own message, to its recipients", () =>
    Effect.gen(function* () {
      const replyTo = noted(ORIGINAL, [["Reply-To", "desk@x.test"]]);
      expect((yield* replyTo.complete({ replyToMessageId: "m_1" })).to).toEqual([{ name: "", address: "desk@x.test" }]);
      const own = noted({ ...ORIGINAL, from: { name: "", address: "ME@x.test" }, to: [BOB] });
      expect((yield* own.complete({ replyToMessageId: "m_1" })).to).toEqual([BOB]);
      const unsigned = noted({ ...ORIGINAL, from: null });
      expect((yield* unsigned.complete({ replyToMessageId: "m_1" })).to).toEqual([]);
    }),
  );

  it.effect("quotes nothing of a message that cannot be parsed", () =>
    Effect.gen(function* () {
      const { text } = yield* noted(ORIGINAL, [], false).complete({ replyToMessageId: "m_1" });
      expect(text).toBe(answerText(ORIGINAL, ""));
    }),
  );

  it.effect("names the field whose message does not exist", () =>
    Effect.gen(function* () {
      const { complete } = noted();
      for (const field of ["replyToMessageId", "forwardOf"] as const) {
        const error = yield* Effect.flip(complete({ [field]: "m_gone" }));
        expect(error).toMatchObject({ _tag: "InputInvalid", errors: [{ field }] });
      }
    }),
  );
});

describe("the text of an answer or a forward", () => {
  it.each([
    ["Lunch", "Re: Lunch", "Fwd: Lunch"],
    ["re : Lunch", "re : Lunch", "Fwd: re : Lunch"],
    ["FW: Lunch", "Re: FW: Lunch", "FW: Lunch"],
    ["Wg: Lunch", "Re: Wg: Lunch", "Wg: Lunch"],
    [" a\r\nb ", "Re: a b", "Fwd: a b"],
    ["Regarding", "Re: Regarding", "Fwd: Regarding"],
  ])("has for %j the subject %j or %j", (subject, reply, forward) => {
    expect([replySubject(subject), forwardSubject(subject)]).toEqual([reply, forward]);
  });

  const sentAt = Date.UTC(2026, 0, 2, 3, 4);
  it("quotes each line of the original, with its author and time", () => {
    expect(answerText({ ...ORIGINAL, sentAt }, "a\r\n\r\n> b\n\n")).toBe(
      "\n\nOn 2 Jan 2026 at 03:04 UTC, Ann <ann@x.test> wrote:\n> a\n>\n>> b\n",
    );
    const arrivedAt = Date.UTC(2026, 11, 31, 23, 59);
    expect(answerText({ ...ORIGINAL, from: null, arrivedAt }, "a")).toContain(
      "On 31 Dec 2026 at 23:59 UTC, someone wrote:",
    );
    expect(answerText({ ...ORIGINAL, from: BOB }, "a")).toContain(", bob@x.test wrote:");
  });

  it("forwards the original under its header, which tells how many recipients are left out", () => {
    const lines = (fields: Partial<typeof ORIGINAL>) =>
      forwardText({ ...ORIGINAL, sentAt, ...fields }, "a\n").split("\n");
    expect(lines({})).toEqual([
      "",
      "",
      "---------- Forwarded message ----------",
      "From: Ann <ann@x.test>",
      "Date: 2 Jan 2026 at 03:04 UTC",
      "Subject: Lunch",
      "To: me@x.test, bob@x.test",
      "",
      "a",
      "",
    ]);
    expect(lines({ toCount: 5 })).toContain("To: me@x.test, bob@x.test and 3 others");
    expect(lines({ from: null, to: [] }).filter((line) => /^(From|To):/.test(line))).toEqual([]);
  });

  it("has 100,000 characters of the original at most", () => {
    expect(forwardText(ORIGINAL, "x".repeat(100_001)).match(/x{9,}/)?.[0]).toHaveLength(100_000);
  });
});
