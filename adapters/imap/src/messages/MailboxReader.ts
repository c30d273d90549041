import { MailServerError } from "@postern/core/mail";
import { MailboxReader, type MailboxView } from "@postern/core/messages";
import { Effect, Layer } from "effect";
import type { ImapFlow } from "imapflow";
import { command } from "../command.ts";
import { fetchSummaries } from "../fetch-summaries.ts";
import { ImapConnections } from "../ImapConnections.ts";
import type { ImapSettings } from "../ImapOptions.ts";
import { openMailbox } from "../open-mailbox.ts";
import { lastPosition } from "../search-uids.ts";

/**
 * Reads listings over IMAP (spec 5). A view reserves a connection, which sends only FETCH and SEARCH by position:
 * during these a server must not renumber messages (RFC 9051, 7.5.1).
 */
export const layer = (settings: ImapSettings): Layer.Layer<MailboxReader, never, ImapConnections> =>
  Layer.effect(
    MailboxReader,
    Effect.gen(function* () {
      const connections = yield* ImapConnections;
      const { command: timeout } = settings.timeouts;

      const open = Effect.fnUntraced(function* (client: ImapFlow, path: string) {
        const mailbox = yield* openMailbox(client, path, timeout);
        if (mailbox.uidValidity === undefined) return yield* unanswered("select");
        const status = yield* command(client, "status", timeout, () => client.status(mailbox.path, { unseen: true }));
        if (status === false || status.unseen === undefined) return yield* unanswered("status");
        return viewOf(client, mailbox.exists, status.unseen, Number(mailbox.uidValidity), timeout);
      });

      return MailboxReader.of({
        view: Effect.fn("MailboxReader.view")((account, path) =>
          connections.hold(account, "interactive", path.toUpperCase() === "INBOX" ? "INBOX" : path, (client) =>
            open(client, path),
          ),
        ),
      });
    }),
  );

const viewOf = (
  client: ImapFlow,
  total: number,
  unseen: number,
  uidValidity: number,
  timeout: number,
): MailboxView => ({
  uidValidity,
  total,
  unread: Math.min(unseen, total),
  messages: Effect.fnUntraced(function* (first, last) {
    const [from, to] = [Math.max(1, first), Math.min(last, total)];
    if (from > to) return [];
    return yield* fetchSummaries(client, `${from}:${to}`, "position", timeout);
  }),
  positionBelow: Effect.fnUntraced(function* (uid) {
    if (total === 0 || uid <= 1) return 0;
    // Messages that arrived after the view was opened have positions above `total`.
    return Math.min(yield* lastPosition(client, `1:${uid - 1}`, timeout), total);
  }),
});

const unanswered = (operation: string): MailServerError =>
  new MailServerError({ reason: "protocol", operation, detail: "the server gave no result" });
