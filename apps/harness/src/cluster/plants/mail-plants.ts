import { ParseJobs } from "@postern/core/bounces";
import { FolderRemovals, MailboxChanges } from "@postern/core/folders";
import { AccountWatches, FollowedMailboxes, InboxWatch } from "@postern/core/watch";
import { Effect } from "effect";
import { isNth, type Plant, plant } from "./Plant.ts";

/** Bugs of arrivals, reports and folders. */
export const mailPlants: ReadonlyArray<Plant> = [
  plant("watch-fence-dropped", "a node writes arrivals of a watch that it lost", AccountWatches, () => ({
    holds: () => Effect.succeed(true),
  })),
  plant("watch-claimed-early", "watches are claimed four seconds before their lease ends", AccountWatches, (real) => ({
    claim: (now, lease, limit) => real.claim(now + 4_000, lease, limit),
  })),
  plant("cursor-not-saved", "every fourth cursor is not saved with its events", FollowedMailboxes, (real, memory) => ({
    save: (account, folder, sync) => (isNth(memory, 4) ? Effect.void : real.save(account, folder, sync)),
  })),
  plant("seen-messages-forgotten", "after a new UIDVALIDITY every message is new", FollowedMailboxes, () => ({
    listSeenFrom: () => Effect.succeed([]),
  })),
  plant("watch-starts-at-the-first-message", "mail from before the watch is announced", InboxWatch, (real) => ({
    readPresent: (account, purpose) =>
      Effect.map(real.readPresent(account, purpose), ({ cursor, newest }) => ({
        cursor: { ...cursor, uidNext: 1 },
        newest: { ...newest, messages: [] },
      })),
  })),
  plant("arrival-overlooked", "the first of several new messages is overlooked", InboxWatch, (real) => ({
    open: (account, purpose) =>
      Effect.map(real.open(account, purpose), (inbox) => ({
        ...inbox,
        poll: (since) =>
          Effect.map(inbox.poll(since), (poll) =>
            poll.arrived.length > 1 ? { ...poll, arrived: poll.arrived.slice(1) } : poll,
          ),
      })),
  })),
  plant("folder-removed-with-its-mail", "a folder is removed before it is empty", MailboxChanges, () => ({
    nextBatch: () => Effect.succeedNone,
  })),
  plant(
    "folder-claimed-early",
    "removals are claimed eight seconds before their lease ends",
    FolderRemovals,
    (real) => ({
      claim: (now, lease, limit) => real.claim(now + 8_000, lease, limit),
    }),
  ),
  plant("watch-not-released", "a node that stops keeps its watches", AccountWatches, () => ({
    release: () => Effect.void,
    leave: () => Effect.void,
  })),
  plant("own-move-forgotten", "moves of the user into INBOX are announced", FollowedMailboxes, () => ({
    expect: () => Effect.void,
  })),
  plant(
    "copies-not-remembered",
    "a move without MOVE begins again without its earlier copies",
    MailboxChanges,
    (real) => ({
      moveBatch: (account, batch, to) => real.moveBatch(account, { ...batch, copiedFrom: Infinity }, to),
    }),
  ),
  plant("bounce-counted-again", "each further report on a recipient is announced", ParseJobs, () => ({
    report: () => Effect.succeed(true),
  })),
  plant("report-dropped", "every third batch of reports is not read", ParseJobs, (real, memory) => ({
    insert: (jobs, now) => (isNth(memory, 3) ? Effect.void : real.insert(jobs, now)),
  })),
];
