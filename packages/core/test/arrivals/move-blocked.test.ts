import { it } from "@effect/vitest";
import { Context, Effect, Layer, Option } from "effect";
import { expect } from "vitest";
import { blockingServices, pollUnblocked } from "../../src/arrivals/move-blocked.ts";
import { INBOX } from "../../src/arrivals/FollowedFolder.ts";
import { Folders, MailboxChanges } from "../../src/folders/index.ts";
import { MailServerError } from "../../src/mail/index.ts";
import { MessageActions } from "../../src/messages/index.ts";
import type { MessageRef } from "../../src/shared/index.ts";
import { IdScopes } from "../../src/shared/neighbours.ts";
import { AccountWatches, FollowedMailboxes, MovedMessages, SenderBlocks } from "../../src/watch/index.ts";
import { readableIds } from "../doubles.ts";
import { summaryWith } from "../messages/summary.ts";
import { cursorAt, inboxOf, KNOWN, ME, message, QUIET, WATCH } from "./inbox-in-memory.ts";

const PEST = { name: "", address: "pest@noise.test" };

/**
 * Polls an INBOX with arrivals of a blocked sender, by default with the UIDs 10 and 11, in one poll after another; returns the ids
 * of the messages to move. With `failure`, moves fail for this reason.
 */
const movedOf = (
  left: ReadonlyArray<Readonly<Record<"from" | "now" | "id", MessageRef>>>,
  polls: ReadonlyArray<ReadonlyArray<number>> = [[10, 11], []],
  failure?: MailServerError["reason"],
) =>
  Effect.gen(function* () {
    const moved: Array<string> = [];
    const doubles = Layer.mergeAll(
      Layer.mock(AccountWatches, { isOursAlone: false, holds: () => Effect.succeed(true) }),
      Layer.mock(FollowedMailboxes, {
        find: () => Effect.succeed(Option.some(KNOWN)),
        findSeen: () => Effect.succeed(new Map()),
        listExpected: () => Effect.succeed([]),
      }),
      Layer.mock(SenderBlocks, { findBlocked: (_, keys) => Effect.succeed(new Set(keys)) }),
      Layer.mock(MovedMessages, { find: () => Effect.succeed({ left, isMoving: false }) }),
      Layer.mock(MessageActions, {
        carryOut: (_, ids) =>
          failure === undefined
            ? Effect.sync(() => void moved.push(...ids) as never)
            : Effect.fail(new MailServerError({ reason: failure, operation: "move", detail: "" })),
      }),
      Layer.mock(Folders, {
        sync: () =>
          Effect.succeed({
            root: { prefix: "" },
            folders: [{ id: "f_junk", role: "junk", path: "Junk", selectable: true }],
            records: [{ uidNext: 1 }],
          } as never),
      }),
      Layer.mock(MailboxChanges, {}),
      readableIds,
    );
    const scopes = Context.make(IdScopes, { of: (account) => Effect.succeed(`${account}/2` as never) });
    const by = yield* Effect.provide(Effect.provide(blockingServices, doubles), scopes);
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
    return moved;
  });

const at = (folderId: MessageRef["folderId"], uid: number): MessageRef => ({ folderId, uidValidity: 7, uid });

it.effect("moves mail of a blocked sender by the ids of the account's present servers [S5.9-2]", () =>
  Effect.gen(function* () {
    expect(yield* movedOf([])).toEqual([10, 11].map((uid) => JSON.stringify([`${ME}/2`, "inbox", 7, uid])));
  }),
);

it.effect("leaves a message that Postern moved into INBOX, also if it keeps its UID there [S5.9-4]", () =>
  Effect.gen(function* () {
    const [before, now] = [at("f_junk" as never, 11), at("inbox", 11)];
    expect(yield* movedOf([{ from: before, now, id: before }])).toEqual([JSON.stringify([`${ME}/2`, "inbox", 7, 10])]);
  }),
);

it.effect("moves a message that arrives while another one is moved, and tries each move once [S5.9-2]", () =>
  Effect.gen(function* () {
    const moved = yield* movedOf([], [[10], [10, 11], [10]]);
    expect(moved).toEqual([10, 11].map((uid) => JSON.stringify([`${ME}/2`, "inbox", 7, uid])));
  }),
);

it.effect("gives up on a sender who never stops after ten rounds, so that other mail is announced [S5.9-2]", () =>
  Effect.gen(function* () {
    const endless = Array.from({ length: 30 }, (_, n) => [10 + n]);
    expect(yield* movedOf([], endless)).toHaveLength(10);
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
      expect(yield* movedOf([], [[10]], reason)).toEqual([]);
    }
  }),
);
