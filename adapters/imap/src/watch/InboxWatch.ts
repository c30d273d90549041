import { MailboxTree } from "@postern/core/folders";
import type { ListedMailbox, MailboxAccessError, MailServerError } from "@postern/core/mail";
import type { AccountId } from "@postern/core/shared";
import { InboxWatch, type WatchedInbox, type WatchKind } from "@postern/core/watch";
import { Clock, Effect, Layer, Random } from "effect";
import type { ImapFlow } from "imapflow";
import { arrivedMessages } from "../following/arrived-messages.ts";
import { command } from "../connection/command.ts";
import { enableQresync } from "../connection/enable-qresync.ts";
import { isFlooding } from "../wire/bound-responses.ts";
import { connectionLoss, floodFailure } from "../connection/imap-failure.ts";
import { ImapConnections } from "../session/ImapConnections.ts";
import { isAlive } from "../wire/imapflow-internals.ts";
import type { ImapSettings } from "../connection/ImapOptions.ts";
import { KnownInbox } from "../following/KnownInbox.ts";
import { pollInbox } from "../following/poll-inbox.ts";
import { inboxCursor } from "../selecting/inbox-status.ts";
import { isListRefused, listMailboxes } from "../selecting/list-mailboxes.ts";
import { seenSlices } from "../following/seen-messages.ts";

/** Poll interval for a server without IDLE, in milliseconds. */
const POLL_MILLIS = 20_000;

/** After this number of keepalives INBOX is selected again, because Naver shows changes to a session only then. */
const SELECT_EVERY = 6;

/**
 * Watches INBOX over IMAP (spec 7): IDLE on a separate connection, interrupted regularly by a NOOP. The NOOP detects
 * dead connections and changes that a server with an incomplete IDLE, or none, did not report.
 */
export const layer = (settings: ImapSettings): Layer.Layer<InboxWatch, never, ImapConnections | MailboxTree> =>
  Layer.effect(
    InboxWatch,
    Effect.gen(function* () {
      const connections = yield* ImapConnections;
      const tree = yield* MailboxTree;
      const { command: timeout, keepalive } = settings.timeouts;

      const begin = Effect.fnUntraced(function* (client: ImapFlow) {
        yield* enableQresync(client, timeout);
        // A session that cannot open INBOX is useless.
        const opened = command(client, "select", timeout, () => client.mailboxOpen("INBOX", { readOnly: true }));
        yield* Effect.tapError(opened, () => Effect.sync(() => client.close()));
        return client;
      });

      const open = Effect.fn("InboxWatch.open")(function* (account: AccountId, kind: WatchKind) {
        const client = yield* connections.hold(account, "idle", "INBOX", begin, kind);
        // A connection with QRESYNC enabled, in the middle of an IDLE, cannot be used for other work.
        yield* Effect.addFinalizer(() => Effect.sync(() => client.close()));
        return yield* watched(client, timeout, keepalive, tree.list(account));
      });

      return InboxWatch.of({
        open,
        readCursor: Effect.fn("InboxWatch.readCursor")((account, purpose) =>
          Effect.scoped(
            connections.hold(account, "interactive", "INBOX", (client) => present(client, timeout), purpose),
          ),
        ),
      });
    }),
  );

/** A STATUS of an open mailbox returns what the session last saw; the NOOP updates it. */
const present = (client: ImapFlow, timeout: number) =>
  Effect.andThen(
    command(client, "noop", timeout, () => client.noop()),
    inboxCursor(client, timeout),
  );

const watched = Effect.fnUntraced(function* (
  client: ImapFlow,
  timeout: number,
  keepalive: number,
  listElsewhere: Effect.Effect<ReadonlyArray<ListedMailbox>, MailboxAccessError>,
) {
  const known = new KnownInbox();
  const changes = watchChanges(client, known);
  const asked = client.capabilities.has("IDLE") ? keepalive : Math.min(keepalive, POLL_MILLIS);
  const pause = asked * (0.75 + (yield* Random.next) / 4);
  const noop = command(client, "noop", Math.min(timeout, keepalive / 2), () => client.noop());
  let selectedAt = yield* Clock.currentTimeMillis;
  const select = Effect.gen(function* () {
    selectedAt = yield* Clock.currentTimeMillis;
    yield* command(client, "select", timeout, () => client.mailboxOpen("INBOX", { readOnly: true }));
    known.forgetNumbers();
  });
  const look = Effect.gen(function* () {
    const isFresh = (yield* Clock.currentTimeMillis) < selectedAt + SELECT_EVERY * keepalive;
    yield* isFresh || client.enabled.has("QRESYNC") ? noop : select;
  });

  const inbox: WatchedInbox = {
    poll: Effect.fnUntraced(function* (since) {
      if (!changes.upToDate) yield* look;
      changes.upToDate = false;
      changes.news = false;
      return yield* pollInbox(client, since, known, timeout);
    }),
    below: seenSlices(client, timeout),
    describe: (uids) => arrivedMessages(client, uids, timeout),
    changed: Effect.gen(function* () {
      known.confirm();
      while (!changes.news) {
        yield* Effect.raceFirst(changes.next, Effect.sleep(pause));
        // Interrupting a command would close the connection.
        if (!changes.news) yield* Effect.uninterruptible(noop);
      }
      changes.upToDate = true;
    }),
    folders: Effect.catchIf(listMailboxes(client, timeout), isListRefused, () => listElsewhere),
  };
  return inbox;
});

interface Changes {
  /** Whether the server reported a change since the last poll. */
  news: boolean;
  /** Whether the session already sees the current state of the mailbox. */
  upToDate: boolean;
  /** Waits for a change, by IDLE if the server has it. */
  readonly next: Effect.Effect<void, MailServerError>;
}

const watchChanges = (client: ImapFlow, known: KnownInbox): Changes => {
  let wake: (() => void) | undefined;
  const changes: Changes = {
    news: false,
    upToDate: true,
    next: Effect.callback((resume) => {
      const lost = () => (isFlooding(client) ? floodFailure("idle") : connectionLoss("idle", client.byeReason));
      const end = () => resume(isAlive(client) ? Effect.void : Effect.fail(lost()));
      wake = end;
      if (changes.news || !isAlive(client)) return end();
      if (!client.idling && client.capabilities.has("IDLE")) client.idle().then(ended, ended);
      return Effect.sync(() => void (wake = undefined));
    }),
  };
  // The end of an IDLE is a failure only if the connection ended too.
  const ended = () => void (isAlive(client) || wake?.());
  const hear = () => {
    changes.news = true;
    wake?.();
  };
  client.on("exists", hear);
  client.on("expunge", ({ seq, earlier }) => {
    // VANISHED (EARLIER) answers a FETCH of the poll.
    if (earlier === true) return;
    known.renumber(seq);
    hear();
  });
  client.on("flags", (event) => {
    known.announce(event);
    hear();
  });
  client.on("close", () => wake?.());
  return changes;
};
