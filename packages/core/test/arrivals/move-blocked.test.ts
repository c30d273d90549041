import { it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { expect } from "vitest";
import { blockingServices, pollUnblocked } from "../../src/arrivals/move-blocked.ts";
import { INBOX } from "../../src/arrivals/FollowedFolder.ts";
import { Folders, MailboxChanges } from "../../src/folders/index.ts";
import { MailServerError } from "../../src/mail/index.ts";
import { MessageChanges } from "../../src/messages/index.ts";
import type { MessageRef } from "../../src/shared/index.ts";
import {
  AccountWatches,
  FollowedMailboxes,
  LiveInboxes,
  MovedMessages,
  OwnMoves,
  SenderBlocks,
} from "../../src/watch/index.ts";
import { summaryWith } from "../messages/summary.ts";
import { cursorAt, inboxOf, KNOWN, message, QUIET, WATCH } from "./inbox-in-memory.ts";

const PEST = { name: "", address: "pest@noise.test" };

/**
 * Polls an INBOX with arrivals of a blocked sender, by default with the UIDs 10 and 11, in one poll after another; returns the UIDs
 * to move from INBOX. With `failure`, moves fail for this reason.
 */
const movedOf = (
  left: ReadonlyArray<Readonly<Record<"from" | "now" | "id", MessageRef>>>,
  polls: ReadonlyArray<ReadonlyArray<number>> = [[10, 11], []],
  failure?: MailServerError["reason"],
) =>
  Effect.gen(function* () {
    const moved: Array<number> = [];
    const log: Array<unknown> = [];
    const doubles = Layer.mergeAll(
      Layer.mock(AccountWatches, { isOursAlone: false, holds: () => Effect.succeed(true) }),
      Layer.mock(FollowedMailboxes, {
        find: () => Effect.succeed(Option.some(KNOWN)),
        findSeen: () => Effect.succeed(new Map()),
        listExpected: () => Effect.succeed([]),
      }),
      Layer.mock(SenderBlocks, { findBlocked: (_, keys) => Effect.succeed(new Set(keys)) }),
      Layer.mock(MovedMessages, { find: () => Effect.succeed({ left, isMoving: false }) }),
      Layer.mock(MessageChanges, {
        move: (_, { path, uidValidity }, uids, to) =>
          failure === undefined
            ? Effect.sync(() => {
                moved.push(...uids);
                expect([path, uidValidity, to]).toEqual(["INBOX", 7, "Junk"]);
                return uids.map((uid) => ({ uid, to: { uidValidity: 1, uid: uid + 100 } }));
              })
            : Effect.fail(new MailServerError({ reason: failure, operation: "move", detail: "" })),
      }),
      Layer.mock(OwnMoves, {
        read: (_, path, uids) => Effect.succeed({ path, uids } as never),
        begin: (_, from, found, { key, uidNext }) => Effect.sync(() => void log.push([from, found, key, uidNext])),
        settle: (_, from, key, arrived) => Effect.sync(() => void log.push([from, key, arrived])),
      }),
      Layer.succeed(LiveInboxes, {
        startReading: () => () => {},
        quietTime: () => undefined,
        markChanged: () => void log.push("changed"),
      }),
      Layer.mock(Folders, {
        sync: () =>
          Effect.succeed({
            root: { prefix: "" },
            folders: [{ id: "f_junk", key: "k_junk", role: "junk", path: "Junk", selectable: true }],
            records: [{ uidNext: 1 }],
          } as never),
      }),
      Layer.mock(MailboxChanges, {}),
    );
    const by = yield* Effect.provide(blockingServices, doubles);
    const pollOf = (uids: ReadonlyArray<number>) =>
      uids.length === 0
        ? QUIET
        : {
            ...QUIET,
            cursor: cursorAt(12),
            arrived: uids.map((uid) => message(uid, { summary: summaryWith({ from: PEST }) })),
          };
    const mailbox = inboxOf(polls.map(pollOf));
    yield* pollUnblocked(by, "node", WATCH, { folder: INBOX, mailbox });
    return { moved, log };
  });

const at = (folderId: MessageRef["folderId"], uid: number): MessageRef => ({ folderId, uidValidity: 7, uid });

it.effect("moves mail of a blocked sender from where it arrived, and records the move [S5.9-2]", () =>
  Effect.gen(function* () {
    const { moved, log } = yield* movedOf([]);
    expect(moved).toEqual([10, 11]);
    const from = { folderId: "inbox", uidValidity: 7, path: "INBOX" };
    const arrived = moved.map((uid) => ({ uid, to: { uidValidity: 1, uid: uid + 100 } }));
    expect(log).toEqual([[from, { path: "INBOX", uids: [10, 11] }, "k_junk", 1], "changed", [from, "k_junk", arrived]]);
  }),
);

it.effect("leaves a message that Postern moved into INBOX, also if it keeps its UID there [S5.9-4]", () =>
  Effect.gen(function* () {
    const [before, now] = [at("f_junk" as never, 11), at("inbox", 11)];
    expect((yield* movedOf([{ from: before, now, id: before }])).moved).toEqual([10]);
  }),
);

it.effect("moves a message that arrives while another one is moved, and tries each move once [S5.9-2]", () =>
  Effect.gen(function* () {
    expect((yield* movedOf([], [[10], [10, 11], [10]])).moved).toEqual([10, 11]);
  }),
);

it.effect("gives up on a sender who never stops after ten rounds, so that other mail is announced [S5.9-2]", () =>
  Effect.gen(function* () {
    const endless = Array.from({ length: 30 }, (_, n) => [10 + n]);
    expect((yield* movedOf([], endless)).moved).toHaveLength(10);
  }),
);

it.effect("announces a message only if the server refuses its move, and tries again after any outage [S5.9-2]", () =>
  Effect.gen(function* () {
    const outages = [
      "busy",
      "limited",
      "timeout",
      "unreachable",
      "untrusted",
      "flood",
      "provider_unavailable",
    ] as const;
    for (const reason of outages) {
      expect((yield* Effect.flip(movedOf([], [[10]], reason)))._tag).toBe("MailServerError");
    }
    for (const reason of ["not_permitted", "over_quota", "protocol"] as const) {
      expect((yield* movedOf([], [[10]], reason)).moved).toEqual([]);
    }
  }),
);
