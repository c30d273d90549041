import type { AccountId } from "@postern/core/shared";
import { MailboxReader, type MailboxView } from "@postern/core/messages";
import { Effect, Layer } from "effect";
import type { ImapFlow, MessageStructureObject } from "imapflow";
import { command } from "../command.ts";
import { fetchSummaries } from "../fetch-summaries.ts";
import { ImapConnections } from "../ImapConnections.ts";
import type { ImapSettings } from "../ImapOptions.ts";
import { currentState, type Selected, selectAndCount, stateOf } from "../mailbox-state.ts";
import { flagsOf } from "../message-summary.ts";
import { MessageStructures } from "../MessageStructures.ts";
import { fetchRows } from "../rows/fetch-rows.ts";
import { sharedCalls } from "../shared-calls.ts";
import { lastPosition } from "../search-uids.ts";
import { uidSet } from "../uid-set.ts";

/**
 * Reads listings over IMAP (spec 5). A view reserves a connection, which sends only FETCH and SEARCH by position:
 * during these a server must not renumber messages (RFC 9051, 7.5.1). Each view selects its mailbox again: a session goes
 * on seeing a mailbox that was renamed or deleted, and only SELECT tells the state that it shows.
 */
export const layer = (settings: ImapSettings): Layer.Layer<MailboxReader, never, ImapConnections | MessageStructures> =>
  Layer.effect(
    MailboxReader,
    Effect.gen(function* () {
      const connections = yield* ImapConnections;
      const structures = yield* MessageStructures;
      const scope = yield* Effect.scope;
      const { command: timeout } = settings.timeouts;

      const view = Effect.fn("MailboxReader.view")((account: AccountId, path: string) =>
        connections.hold(account, "interactive", nameOf(path), (client) =>
          Effect.map(selectAndCount(client, path, timeout), (selected) => {
            const uidValidity = Number(selected.mailbox.uidValidity);
            return viewOf(client, selected, timeout, (uid, structure) =>
              structures.keep(account, { path: nameOf(path), uidValidity, uid }, structure),
            );
          }),
        ),
      );

      const probe = sharedCalls(scope, (mailbox: string, begins) => {
        const [account, path] = mailbox.split("\n") as [AccountId, string];
        return Effect.scoped(
          connections.hold(account, "interactive", nameOf(path), (client) =>
            Effect.andThen(begins, currentState(client, nameOf(path), timeout)),
          ),
        );
      });

      return MailboxReader.of({
        view,
        probe: Effect.fn("MailboxReader.probe")((account, path) => probe(`${account}\n${path}`)),
      });
    }),
  );

/** INBOX has no case (RFC 9051, 5.1). */
const nameOf = (path: string): string => (path.toUpperCase() === "INBOX" ? "INBOX" : path);

const FLAGS = { uid: true, flags: true };

const viewOf = (
  client: ImapFlow,
  selected: Selected,
  timeout: number,
  keep: (uid: number, structure: MessageStructureObject) => void,
): MailboxView => {
  const { exists: total, uidValidity } = selected.mailbox;
  const rangeOf = (first: number, last: number): string | undefined => {
    const [from, to] = [Math.max(1, first), Math.min(last, total)];
    return from > to ? undefined : `${from}:${to}`;
  };
  return {
    uidValidity: Number(uidValidity),
    total,
    unread: selected.unread,
    state: stateOf(selected),
    messages: Effect.fnUntraced(function* (first, last) {
      const range = rangeOf(first, last);
      return range === undefined ? [] : yield* fetchSummaries(client, range, "position", timeout, keep);
    }),
    flags: Effect.fnUntraced(function* (first, last) {
      const range = rangeOf(first, last);
      if (range === undefined) return [];
      const rows = yield* command(client, "fetch", timeout, () => fetchRows(client, range, FLAGS, { uid: false }));
      return (rows ?? [])
        .filter(({ uid, flags }) => uid && flags)
        .map(({ uid, flags }) => ({ uid, ...flagsOf(flags) }));
    }),
    byUid: Effect.fnUntraced(function* (uids) {
      if (uids.length === 0) return [];
      const wanted = uidSet(uids.toSorted((one, other) => one - other));
      return yield* fetchSummaries(client, wanted, "uid", timeout, keep);
    }),
    positionBelow: Effect.fnUntraced(function* (uid) {
      if (total === 0 || uid <= 1) return 0;
      // Messages that arrived after the view was opened have positions above `total`.
      return Math.min(yield* lastPosition(client, `1:${uid - 1}`, timeout), total);
    }),
  };
};
