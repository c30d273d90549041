import type { AccountId } from "@postern/core/shared";
import { type OutgoingContents, OutgoingJournal, type OutgoingMessage } from "@postern/core/send";
import { Effect } from "effect";
import { freshAccount } from "../../fixtures/fresh-account.ts";

let moment = 4_000_000_000_000;

/** A time at which no message of another test is due. */
export const idleMoment = Effect.gen(function* () {
  moment += 1_000_000;
  const forEver = { token: "away", until: Number.MAX_SAFE_INTEGER };
  while ((yield* (yield* OutgoingJournal).claim(moment, forEver, 1_000)).length > 0);
  return moment;
});

/** The contents of the test messages. */
export const CONTENTS: OutgoingContents = {
  from: { name: "", address: "me@x.test" },
  to: [{ name: "Jürgen „日本“", address: "a@y.test" }],
  cc: [],
  bcc: [{ name: "", address: "hidden@y.test" }],
  replyTo: [],
  subject: "Grüße \\ \" ' ✓",
  text: "hi\n.\nthere",
  html: "<p>💌</p>",
  inReplyTo: null,
  references: ["<one@x>"],
  headers: [["X-A", "b"]],
  attachments: [{ uploadId: "u", name: "nötes.txt", type: "text/plain", size: 18, contentId: null }],
  size: 1_234,
};

/** Returns a message of this account that is due at once. */
export const newMessage = (account: AccountId, at: number): OutgoingMessage => {
  const id = `out_${globalThis.crypto.randomUUID()}`;
  return {
    id,
    account,
    messageId: `<${id}@x.test>`,
    createdAt: at,
    from: account,
    to: ["a@y.test"],
    cc: [],
    subject: "Grüße ✓",
    recipients: [{ address: "a@y.test", state: "queued", reply: { code: 451, enhanced: "4.7.1", text: "später" } }],
    step: 2,
    attemptAt: at,
    scheduledFor: null,
    paused: { since: at, version: 3 },
    failure: { reason: "unreachable", detail: "refused" },
    copy: { state: "owed", step: 0, at: null },
  };
};

/** Returns the message as finished. */
export const finished = (message: OutgoingMessage): OutgoingMessage => ({ ...message, attemptAt: null });

/** Returns a token for one claim. */
export const token = () => globalThis.crypto.randomUUID() as string;
/** Journals a message of a new account, due at this time. */
export const insert = Effect.fnUntraced(function* (at: number, change: Partial<OutgoingMessage> = {}) {
  const message: OutgoingMessage = { ...newMessage(yield* freshAccount, at), ...change };
  yield* (yield* OutgoingJournal).insert(message, CONTENTS, null);
  return message;
});
/** Claims for a second; returns the ids. */
export const claim = Effect.fnUntraced(function* (now: number, by: string, limit = 100) {
  return (yield* (yield* OutgoingJournal).claim(now, { token: by, until: now + 1_000 }, limit)).map(({ id }) => id);
});
