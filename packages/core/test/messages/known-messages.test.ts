import type { MessageSummary } from "../../src/mail/index.ts";
import { it } from "@effect/vitest";
import { Effect } from "effect";
import { describe, expect } from "vitest";
import { withKnownMessages } from "../../src/messages/known-messages.ts";
import type { MailboxView } from "../../src/messages/index.ts";
import { summaryWith } from "./summary.ts";

const message = (uid: number, over: Partial<MessageSummary> = {}): MessageSummary =>
  summaryWith({ uid, subject: `m${uid}`, unread: false, ...over });

/** A mailbox of these messages that records which of them were fetched completely. */
const viewOf = (present: ReadonlyArray<MessageSummary>) => {
  const fetched: Array<number> = [];
  const view: MailboxView = {
    uidValidity: 1,
    total: present.length,
    unread: 0,
    state: null,
    messages: () => Effect.die("asked for whole messages"),
    flags: (first, last) => Effect.succeed(present.slice(first - 1, last)),
    byUid: (uids) =>
      Effect.sync(() => {
        fetched.push(...uids);
        return present.filter(({ uid }) => uids.includes(uid));
      }),
    positionBelow: () => Effect.succeed(0),
  };
  return { view, fetched };
};
const known = (...messages: ReadonlyArray<MessageSummary>) => new Map(messages.map((one) => [one.uid, one]));

describe("a view with messages known from before", () => {
  it.effect("fetches only the unknown ones, and keeps their order", () =>
    Effect.gen(function* () {
      const { view, fetched } = viewOf([message(1), message(2), message(3)]);
      const read = yield* withKnownMessages(view, known(message(1), message(3))).messages(1, 3);
      expect(read.map(({ uid }) => uid)).toEqual([1, 2, 3]);
      expect(fetched).toEqual([2]);
    }),
  );

  it.effect.each([["unread"], ["flagged"], ["answered"], ["draft"]] as const)(
    "shows a known one with its current flag: %s",
    ([flag]) =>
      Effect.gen(function* () {
        const { view } = viewOf([message(1, { [flag]: true, subject: "" })]);
        const [read] = yield* withKnownMessages(view, known(message(1))).messages(1, 1);
        expect(read).toEqual(message(1, { [flag]: true }));
      }),
  );

  it.effect("keeps a known message unchanged if its flags are the same", () =>
    Effect.gen(function* () {
      const earlier = message(1, { flagged: true });
      const { view } = viewOf([message(1, { flagged: true })]);
      const [read] = yield* withKnownMessages(view, known(earlier)).messages(1, 1);
      expect(read).toBe(earlier);
    }),
  );

  it.effect("leaves out a message that was removed between the reads of flags and messages", () =>
    Effect.gen(function* () {
      const { view } = viewOf([message(1), message(2)]);
      const removed = { ...view, byUid: () => Effect.succeed([]) };
      const read = yield* withKnownMessages(removed, known(message(1))).messages(1, 2);
      expect(read.map(({ uid }) => uid)).toEqual([1]);
    }),
  );

  it.effect("is the view itself if none is known", () =>
    Effect.sync(() => {
      const { view } = viewOf([]);
      expect(withKnownMessages(view, new Map())).toBe(view);
    }),
  );
});
