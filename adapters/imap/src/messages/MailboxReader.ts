import type { MessageSummary } from "@postern/core/mail";
import type { AccountId } from "@postern/core/shared";
import { MailboxReader, type MailboxView, type NewestWanted } from "@postern/core/messages";
import { Clock, Effect, Layer } from "effect";
import type { ImapFlow, MessageStructureObject } from "imapflow";
import { command } from "../connection/command.ts";
import { fetchSummaries } from "../reading/fetch-summaries.ts";
import { ImapConnections } from "../session/ImapConnections.ts";
import type { ImapSettings } from "../connection/ImapOptions.ts";
import { currentState, selectAndCount, type MailboxSnapshot } from "../selecting/mailbox-state.ts";
import { serverAccountOf } from "../session/server-account.ts";
import { MailboxSizes } from "../session/MailboxSizes.ts";
import { flagsOf, messageSummary } from "../reading/message-summary.ts";
import { MessageStructures } from "../session/MessageStructures.ts";
import { fetchRows } from "../rows/fetch-rows.ts";
import { sharedCalls } from "../session/shared-calls.ts";
import { lastPosition } from "../reading/search-uids.ts";
import { announcesChanges, newestFrom, readOpenInbox } from "../following/synced-inbox.ts";
import { uidSet } from "../wire/uid-set.ts";

/**
 * Reads listings over IMAP (spec 5). A view reserves a connection, on which it sends only FETCH and SEARCH by position:
 * during these commands a server must not renumber messages (RFC 9051, 7.5.1). A view selects its mailbox again,
 * because a session still sees a mailbox that was renamed or deleted. INBOX cannot be renamed or deleted, so it may
 * stay open.
 */
export const layer = (settings: ImapSettings): Layer.Layer<MailboxReader, never, ImapConnections | MessageStructures> =>
  Layer.effect(
    MailboxReader,
    Effect.gen(function* () {
      const connections = yield* ImapConnections;
      const structures = yield* MessageStructures;
      const sizes = new MailboxSizes();
      const scope = yield* Effect.scope;
      const { command: timeout } = settings.timeouts;

      /**
       * Reads an open mailbox if the server announces every change of the mailbox to the session. Returns undefined for
       * other mailboxes, and for a mailbox that keeps changing.
       */
      const heard = Effect.fnUntraced(function* (client: ImapFlow, path: string, size: number, newest?: NewestWanted) {
        for (let tries = 0; tries < MAX_READS && announcesChanges(client, path); tries++) {
          const arrived = client.mailbox.exists - size;
          const wanted = newest && arrived > newest.count ? { count: newest.count } : newest;
          const shown = yield* readOpenInbox(client, timeout, wanted);
          if (shown !== undefined) return shown;
        }
        return undefined;
      });

      const selected = (client: ImapFlow, path: string, size: number, newest?: NewestWanted) => {
        const from = Math.max(1, size - (newest?.count ?? 0) + 1);
        const fetches = newest === undefined || size === 0 ? [] : newestFrom(client, from, newest.known);
        return selectAndCount(client, path, timeout, fetches);
      };

      const view = Effect.fn("MailboxReader.view")((account: AccountId, path: string, newest?: NewestWanted) =>
        connections.hold(
          account,
          "interactive",
          nameOf(path),
          Effect.fnUntraced(function* (client) {
            const now = yield* Clock.currentTimeMillis;
            const name = nameOf(path);
            const owner = serverAccountOf(client);
            const size = sizes.of(owner, name, now) ?? 0;
            const shown = (yield* heard(client, name, size, newest)) ?? (yield* selected(client, name, size, newest));
            sizes.note(owner, name, shown.total, now);
            return viewOf(client, shown, timeout, (uid, structure) =>
              structures.keep(owner, { path: name, uidValidity: shown.uidValidity, uid }, structure),
            );
          }),
        ),
      );

      const probe = sharedCalls(scope, (mailbox: string, begins) => {
        const [account, path] = mailbox.split("\n") as [AccountId, string];
        return Effect.scoped(
          connections.hold(
            account,
            "interactive",
            nameOf(path),
            Effect.fnUntraced(function* (client) {
              yield* begins;
              const state = yield* stateNow(client, nameOf(path), timeout);
              const now = yield* Clock.currentTimeMillis;
              if (state !== null && state !== "changed")
                sizes.note(serverAccountOf(client), nameOf(path), state.total, now);
              return state;
            }),
          ),
        );
      });

      return MailboxReader.of({
        view,
        probe: Effect.fn("MailboxReader.probe")((account, path) => probe(`${account}\n${path}`)),
      });
    }),
  );

const stateNow = (client: ImapFlow, path: string, timeout: number) =>
  Effect.suspend(() =>
    announcesChanges(client, path)
      ? Effect.map(readOpenInbox(client, timeout), (shown) => shown?.state ?? CHANGED)
      : currentState(client, path, timeout),
  );

const CHANGED = "changed" as const;

/** Maximum number of reads of an open mailbox that changes during each read. */
const MAX_READS = 3;

/** Returns the name of a mailbox; INBOX is case-insensitive (RFC 9051, 5.1). */
const nameOf = (path: string): string => (path.toUpperCase() === "INBOX" ? "INBOX" : path);

const FLAGS = { uid: true, flags: true, labels: true };

const viewOf = (
  client: ImapFlow,
  shown: MailboxSnapshot,
  timeout: number,
  keep: (uid: number, structure: MessageStructureObject) => void,
): MailboxView => {
  const { uidValidity, total, unread, state, rows } = shown;

  /** Returns the summaries of these messages; fetches those that did not come with the view. */
  const summaries = Effect.fnUntraced(function* (by: "uid" | "position", numbers: ReadonlyArray<number>) {
    const came = by === "uid" ? new Map([...rows.values()].map((row) => [row.uid, row])) : rows;
    const present: Array<MessageSummary> = [];
    const others: Array<number> = [];
    for (const number of numbers) {
      const row = came.get(number);
      const summary = row && messageSummary(row);
      if (row?.bodyStructure !== undefined) keep(row.uid, row.bodyStructure);
      if (summary === undefined) others.push(number);
      else present.push(summary);
    }
    if (others.length === 0) return present;
    const fetched = yield* fetchSummaries(client, uidSet(others), by, timeout, keep);
    return [...present, ...fetched].toSorted((one, other) => one.uid - other.uid);
  });

  const positions = (first: number, last: number): ReadonlyArray<number> => {
    const from = Math.max(1, first);
    return Array.from({ length: Math.max(0, Math.min(last, total) - from + 1) }, (_, n) => from + n);
  };
  return {
    uidValidity,
    total,
    unread,
    state,
    messages: (first, last) => summaries("position", positions(first, last)),
    flags: Effect.fnUntraced(function* (first, last) {
      const numbers = positions(first, last);
      if (numbers.length === 0) return [];
      const came = numbers.map((position) => rows.get(position));
      if (came.every((row) => row !== undefined)) return came.map((row) => ({ uid: row.uid, ...flagsOf(row) }));
      const fetch = () => fetchRows(client, uidSet(numbers), FLAGS, { uid: false });
      return ((yield* command(client, "fetch", timeout, fetch)) ?? [])
        .filter(({ uid, flags }) => uid && flags)
        .map((row) => ({ uid: row.uid, ...flagsOf(row) }));
    }),
    byUid: (uids) =>
      summaries(
        "uid",
        uids.toSorted((one, other) => one - other),
      ),
    positionBelow: Effect.fnUntraced(function* (uid) {
      if (total === 0 || uid <= 1) return 0;
      // Messages that arrived after the view was opened have positions above `total`.
      return Math.min(yield* lastPosition(client, `1:${uid - 1}`, timeout), total);
    }),
  };
};
