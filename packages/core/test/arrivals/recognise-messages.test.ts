import { it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { recognise, recognitionPorts } from "../../src/arrivals/recognise-messages.ts";
import { OutgoingJournal } from "../../src/send/index.ts";
import { FollowedMailboxes } from "../../src/watch/index.ts";
import type { MailboxChange } from "../../src/watch/neighbours.ts";
import type { ArrivedMessage } from "../../src/watch/ArrivedMessage.ts";
import { numberedIds } from "../doubles.ts";
import { outgoing } from "../outgoing.ts";
import { ME, message, NOW } from "./inbox-in-memory.ts";

type Change = MailboxChange<ArrivedMessage>;

const change = (tag: "Received" | "Deleted" | "FlagsChanged", of: ArrivedMessage) =>
  ({ _tag: tag, message: of, changed: ["unread"] }) as unknown as Change;

/** Returns the changes of a folder that are announced, and what the journal was asked for. */
const recognised = (folderId: string, changes: ReadonlyArray<Change>) => {
  const asked: Array<unknown> = [];
  const ports = Layer.mergeAll(
    Layer.mock(FollowedMailboxes, {
      recordLeft: () => Effect.void,
      findLeft: () => Effect.succeed([]),
      listExpected: () => Effect.succeed([]),
    }),
    Layer.mock(OutgoingJournal, {
      named: (_, messageIds) =>
        Effect.sync(() => {
          asked.push(messageIds);
          return [
            { ...outgoing(), messageId: "<1@x.test>" },
            { ...outgoing(), messageId: "<own@x.test>", providerMessageId: "<2@x.test>" },
          ];
        }),
    }),
    numberedIds,
  );
  return Effect.gen(function* () {
    yield* TestClock.setTime(NOW);
    const found = yield* recognise(yield* recognitionPorts, ME, folderId, changes);
    return { found: found.map(({ _tag, message: { uid } }) => `${_tag} ${uid}`), asked };
  }).pipe(Effect.provide(ports));
};

const received = [1, 2, 3].map((uid) => change("Received", message(uid)));
const unnamed = change("Received", message(4, { messageId: null }));

describe("what happened in Sent", () => {
  it.effect("is announced without the copies of Postern's own mail, by either of its Message-IDs [S7.11-6]", () =>
    Effect.gen(function* () {
      const others = [change("Deleted", message(1)), change("FlagsChanged", message(2)), unnamed];
      expect(yield* recognised("sent", [...received, ...others])).toEqual({
        found: ["Received 3", "Deleted 1", "FlagsChanged 2", "Received 4"],
        asked: [["<1@x.test>", "<2@x.test>", "<3@x.test>"]],
      });
    }),
  );

  it.effect("is not compared with Postern's own mail if no message with a Message-ID arrived", () =>
    Effect.gen(function* () {
      expect(yield* recognised("sent", [change("Deleted", message(1)), unnamed])).toEqual({
        found: ["Deleted 1", "Received 4"],
        asked: [],
      });
    }),
  );
});

it.effect("in other folders a copy of Postern's own mail is announced, and in Drafts no change of flags", () =>
  Effect.gen(function* () {
    const changes = [received[0]!, change("FlagsChanged", message(2))];
    const all = { found: ["Received 1", "FlagsChanged 2"], asked: [] };
    for (const folder of ["inbox", "f_1"]) expect(yield* recognised(folder, changes)).toEqual(all);
    expect(yield* recognised("drafts", changes)).toEqual({ found: ["Received 1"], asked: [] });
  }),
);
