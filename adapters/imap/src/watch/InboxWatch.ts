import { MailboxTree } from "@postern/core/folders";
import type { ListedMailbox, MailboxAccessError, MailServerError } from "@postern/core/mail";
import type { AccountId } from "@postern/core/shared";
import { InboxWatch, type WatchedInbox, type WatchKind } from "@postern/core/watch";
import { Clock, Effect, Layer, Random } from "effect";
import type { ImapFlow } from "imapflow";
import { announceAll } from "../following/announce-all.ts";
import { arrivedMessages } from "../following/arrived-messages.ts";
import { command } from "../connection/command.ts";
import { enableQresync } from "../connection/enable-qresync.ts";
import { ImapConnections } from "../session/ImapConnections.ts";
import type { ImapSettings } from "../connection/ImapOptions.ts";
import { KnownMessages } from "../following/KnownMessages.ts";
import { INBOX, isOpen, watchChanges } from "../following/watch-changes.ts";
import { mailboxStandings } from "../following/mailbox-standings.ts";
import { examine, pollMailbox } from "../following/poll-mailbox.ts";
import { openMailbox } from "../selecting/open-mailbox.ts";
import { inboxCursor } from "../selecting/mailbox-status.ts";
import { inboxMissing, isDoubtful, isListRefused, listMailboxes } from "../selecting/list-mailboxes.ts";
import { seenSlices } from "../following/seen-messages.ts";

/** Poll interval for a server without IDLE, in milliseconds. */
const POLL_MILLIS = 20_000;

/** The factor by which checks are rarer on a connection whose server announces all changes, because the caller itself checks more often. */
const ANNOUNCED_FACTOR = 4;

/** The number of keepalives after which INBOX is selected again, because Naver shows changes to a session only then. */
const SELECT_EVERY = 6;

/**
 * Watches INBOX, and other mailboxes on request, over IMAP (spec 7): IDLE on a separate connection, interrupted
 * regularly by a NOOP. The NOOP detects dead connections, and changes that a server did not report because its IDLE is
 * incomplete or missing.
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
        // A session that cannot open INBOX is of no value to a watch.
        const opened = examine(client, INBOX, timeout);
        yield* Effect.tapError(opened, () => Effect.sync(() => client.close()));
        return client;
      });

      const open = Effect.fn("InboxWatch.open")(function* (account: AccountId, kind: WatchKind) {
        const client = yield* connections.hold(account, "idle", "INBOX", begin, kind);
        // A connection with QRESYNC enabled, in the middle of an IDLE, cannot be used for other work.
        yield* Effect.addFinalizer(() => Effect.sync(() => client.close()));
        return yield* makeWatchedInbox(client, timeout, keepalive, (expected) => tree.list(account, expected));
      });

      return InboxWatch.of({
        open,
        readPresent: Effect.fn("InboxWatch.readPresent")((account, purpose) =>
          Effect.scoped(
            connections.hold(account, "interactive", "INBOX", (client) => presentInbox(client, timeout), purpose),
          ),
        ),
      });
    }),
  );

/**
 * Opens INBOX in its current state. A STATUS of an open mailbox returns the state that the session last saw; the NOOP
 * updates it.
 */
const presentInbox = Effect.fnUntraced(function* (client: ImapFlow, timeout: number) {
  yield* command(client, "noop", timeout, () => client.noop());
  const cursor = yield* inboxCursor(client, timeout);
  // Later requests use the session, and a mailbox that was only examined would refuse their changes.
  const opened = openMailbox(client, INBOX, timeout);
  yield* Effect.catchTag(opened, ["FolderNotFound", "FolderNotSelectable"], inboxMissing);
  return { cursor, newest: yield* seenSlices(client, timeout)(cursor.uidNext) };
});

const makeWatchedInbox = Effect.fnUntraced(function* (
  client: ImapFlow,
  timeout: number,
  keepalive: number,
  listElsewhere: (expected: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<ListedMailbox>, MailboxAccessError>,
) {
  const known = new KnownMessages();
  const changes = watchChanges(client, known);
  const asked = client.capabilities.has("IDLE") ? keepalive : Math.min(keepalive, POLL_MILLIS);
  const jitter = 0.75 + (yield* Random.next) / 4;
  let pause = asked * jitter;
  /** When every mailbox may have changed, once the server has stopped announcing changes. */
  let allAt = Infinity;
  const stop = () => {
    allAt = 0;
    pause = Math.min(keepalive, POLL_MILLIS) * jitter;
  };
  const noop = command(client, "noop", Math.min(timeout, keepalive / 2), () => client.noop());
  let selectedAt = yield* Clock.currentTimeMillis;
  const select = Effect.gen(function* () {
    selectedAt = yield* Clock.currentTimeMillis;
    yield* examine(client, INBOX, timeout);
    known.forgetNumbers();
  });
  const look = Effect.gen(function* () {
    const isFresh = (yield* Clock.currentTimeMillis) < selectedAt + SELECT_EVERY * keepalive;
    yield* isFresh || client.enabled.has("QRESYNC") ? noop : select;
  });
  /** Ensures that INBOX is open and in its current state. */
  const present = Effect.suspend(() => (isOpen(client) ? (changes.upToDate ? Effect.void : look) : select));
  const inInbox = Effect.suspend(() => (isOpen(client) ? Effect.void : select));

  const inbox: WatchedInbox = {
    poll: Effect.fnUntraced(function* (since) {
      yield* present;
      changes.upToDate = false;
      changes.news = false;
      return yield* pollMailbox(client, INBOX, since, known, timeout);
    }),
    below: inMailbox(inInbox, seenSlices(client, timeout)),
    describe: inMailbox(inInbox, (uids) => arrivedMessages(client, uids, timeout)),
    changed: Effect.gen(function* () {
      known.confirm();
      yield* inInbox;
      while (!changes.news && changes.others?.size === 0) {
        yield* Effect.raceFirst(changes.next, Effect.sleep(pause));
        // Interrupting a command would close the connection.
        if (!changes.news) yield* Effect.uninterruptible(noop);
        if ((yield* Clock.currentTimeMillis) >= allAt) changes.others = null;
      }
      const now = yield* Clock.currentTimeMillis;
      // A busy INBOX must not delay the other mailboxes.
      if (now >= allAt) {
        changes.others = null;
        allAt = now + pause;
      }
      changes.upToDate = true;
      return changes.takeOthers();
    }),
    folders: Effect.fnUntraced(function* (expected) {
      const listed = yield* Effect.catchIf(listMailboxes(client, timeout), isListRefused, () => Effect.undefined);
      if (listed !== undefined && !isDoubtful(client, listed, expected)) return listed;
      const all = yield* listElsewhere(expected);
      const present = new Set(all.map(({ path }) => path));
      const known = expected.filter((path) => present.has(path));
      // A session that leaves out mailboxes may not announce their changes either.
      if (listed !== undefined && isDoubtful(client, listed, known)) client.close();
      return all;
    }),
    announceAll: Effect.tap(announceAll(client, timeout, changes.hearOther, stop), (isAnnounced) =>
      Effect.sync(() => void (isAnnounced && (pause = asked * jitter * ANNOUNCED_FACTOR))),
    ),
    standings: inMailbox(inInbox, (paths) => mailboxStandings(client, paths, changes, timeout)),
    mailbox: (path) => otherMailbox(client, path, timeout),
  };
  return inbox;
});

/** Returns a mailbox other than INBOX. Its state is not kept between visits. */
const otherMailbox = (client: ImapFlow, path: string, timeout: number): ReturnType<WatchedInbox["mailbox"]> => {
  const enter = Effect.suspend(() => (isOpen(client, path) ? Effect.void : examine(client, path, timeout)));
  return {
    poll: (since) =>
      Effect.andThen(
        examine(client, path, timeout),
        Effect.suspend(() => pollMailbox(client, path, since, new KnownMessages(), timeout)),
      ),
    below: inMailbox(enter, seenSlices(client, timeout)),
    describe: inMailbox(enter, (uids) => arrivedMessages(client, uids, timeout)),
  };
};

/** Opens a mailbox before each call. */
const inMailbox =
  <Wanted, A>(
    enter: Effect.Effect<unknown, MailServerError>,
    read: (wanted: Wanted) => Effect.Effect<A, MailServerError>,
  ) =>
  (wanted: Wanted): Effect.Effect<A, MailServerError> =>
    Effect.andThen(
      enter,
      Effect.suspend(() => read(wanted)),
    );
