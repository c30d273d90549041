import type { AccountId } from "@postern/core/shared";
import type { MailboxCursor } from "@postern/core/mail";
import { InboxWatch, type WatchedInbox } from "@postern/core/watch";
import type { Mailbox, MailServerInMemory, StoredMessage } from "@postern/memory";
import { Context, Effect } from "effect";
import { hasQuickResync } from "./server-traits.ts";

type Watched = ReturnType<WatchedInbox["mailbox"]>;

const flagsOf = ({ summary: { uid, unread, flagged, answered, labels } }: StoredMessage) => ({
  uid,
  unread,
  flagged,
  answered,
  labels,
});

/** The changes of a mailbox, with the number of each (RFC 7162). */
class Modifications {
  readonly #mailbox: Mailbox;
  readonly #flags = new Map<number, string>();
  readonly #changed = new Map<number, number>();
  readonly #vanished = new Map<number, number>();

  constructor(mailbox: Mailbox) {
    this.#mailbox = mailbox;
    mailbox.listen(() => this.#note());
    this.#note();
  }

  get cursor(): MailboxCursor {
    return { ...this.#mailbox.cursor, highestModSeq: Number(this.#mailbox.changes) };
  }

  #note(): void {
    const now = Number(this.#mailbox.changes);
    const present = new Set<number>();
    for (const { uid, flags } of this.#mailbox.messages) {
      present.add(uid);
      const text = [...flags].toSorted().join(" ");
      if (this.#flags.get(uid) !== text) this.#changed.set(uid, now);
      this.#flags.set(uid, text);
    }
    for (const uid of this.#flags.keys()) {
      if (present.has(uid)) continue;
      this.#flags.delete(uid);
      this.#vanished.set(uid, now);
    }
  }

  vanishedSince(since: number): ReadonlyArray<number> {
    return [...this.#vanished].flatMap(([uid, at]) => (at > since ? [uid] : []));
  }

  changedSince(since: number): ReadonlyArray<StoredMessage> {
    return this.#mailbox.messages.filter(({ uid }) => this.#changed.get(uid)! > since);
  }
}

/** The modifications of each mailbox, which the server knows for all nodes. */
const known = new WeakMap<Mailbox, Modifications>();
const modificationsOf = (mailbox: Mailbox): Modifications => {
  const found = known.get(mailbox) ?? new Modifications(mailbox);
  known.set(mailbox, found);
  return found;
};

/**
 * Reports the changes of the mailboxes of some accounts like a server with QRESYNC. `readArrivals` is called between the answers
 * with the arrivals and with the other changes of a mailbox.
 */
export const quickResync = (
  ports: Context.Context<InboxWatch>,
  mail: MailServerInMemory,
  readArrivals: (account: AccountId, mailbox: Mailbox) => void,
): Context.Context<InboxWatch> => {
  const inner = Context.get(ports, InboxWatch);
  const pollOf = (account: AccountId, path: string, { poll, describe }: Watched): Watched["poll"] =>
    Effect.fnUntraced(function* (since: MailboxCursor | null) {
      // Fails if the connection was closed.
      const nothing = yield* poll(null);
      const mailbox = mail.account(account).find(path)?.mailbox;
      if (mailbox == null) return nothing;
      const modifications = modificationsOf(mailbox);
      const { cursor } = modifications;
      if (since === null || since.uidValidity !== cursor.uidValidity || since.highestModSeq === null)
        return { ...(yield* poll(since)), cursor };
      const arrived = yield* describe(mailbox.messages.flatMap(({ uid }) => (uid >= since.uidNext ? [uid] : [])));
      readArrivals(account, mailbox);
      const vanished = modifications.vanishedSince(since.highestModSeq).filter((uid) => uid < cursor.uidNext);
      return { cursor, arrived, vanished, flags: modifications.changedSince(since.highestModSeq).map(flagsOf) };
    });
  return Context.make(InboxWatch, {
    readPresent: (account, purpose) =>
      Effect.map(inner.readPresent(account, purpose), (present) =>
        hasQuickResync(account)
          ? { ...present, cursor: modificationsOf(mail.account(account).mailbox("INBOX")).cursor }
          : present,
      ),
    open: (account, kind) =>
      Effect.map(inner.open(account, kind), (inbox) =>
        hasQuickResync(account)
          ? {
              ...inbox,
              poll: pollOf(account, "INBOX", inbox),
              mailbox: (path) => {
                const mailbox = inbox.mailbox(path);
                return { ...mailbox, poll: pollOf(account, path, mailbox) };
              },
              standings: (paths) =>
                Effect.map(inbox.standings(paths), (standings) =>
                  standings.map(({ path }) => ({
                    path,
                    cursor: modificationsOf(mail.account(account).mailbox(path)).cursor,
                    counts: null,
                  })),
                ),
            }
          : inbox,
      ),
  });
};
