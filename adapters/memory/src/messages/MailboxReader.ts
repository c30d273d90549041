import { FolderNotFound, FolderNotSelectable, MailServerError } from "@postern/core/mail";
import { MailboxReader, type MailboxState, type MailboxView } from "@postern/core/messages";
import type { AccountId } from "@postern/core/shared";
import { Effect, Layer } from "effect";
import { signedIn } from "../mail/signed-in.ts";
import type { Mailbox } from "../mail/Mailbox.ts";

/** Opens the mailboxes of a `MailWorld`. */
export const layer = Layer.effect(
  MailboxReader,
  Effect.map(signedIn, (signedIn) => {
    const mailbox = Effect.fnUntraced(function* (account: AccountId, path: string) {
      const named = (yield* signedIn(account)).find(path);
      if (named === undefined) return yield* new FolderNotFound();
      return named.mailbox ?? (yield* new FolderNotSelectable());
    });
    return MailboxReader.of({
      view: (account, path) => Effect.map(mailbox(account, path), mailboxView),
      probe: (account, path) => Effect.map(mailbox(account, path), mailboxState),
    });
  }),
);

/** Returns the state of a mailbox as STATUS reports it. */
const mailboxState = ({ uidValidity, uidNext, messages, unread, changes }: Mailbox): MailboxState => ({
  uidValidity,
  uidNext,
  total: messages.length,
  unread,
  highestModSeq: changes,
});

/** Returns a fixed view of a mailbox, like an IMAP session that has it selected (spec 5). */
const mailboxView = (mailbox: Mailbox): MailboxView => {
  const { messages, session, uidValidity, unread } = mailbox;
  // Arrivals are added to the same array, after the first `total` messages.
  const total = messages.length;

  const whileSelected = <A>(operation: string, read: () => A): Effect.Effect<A, MailServerError> =>
    Effect.suspend(() =>
      mailbox.session === session
        ? Effect.sync(read)
        : Effect.fail(new MailServerError({ reason: "unreachable", operation, detail: "the mailbox was deleted" })),
    );

  const presentAt = (first: number, last: number) =>
    whileSelected("fetch", () =>
      messages
        .slice(Math.max(first, 1) - 1, Math.max(0, Math.min(last, total)))
        .filter((message) => mailbox.has(message))
        .map(({ summary }) => summary),
    );

  return {
    uidValidity,
    total,
    unread,
    state: mailboxState(mailbox),
    messages: presentAt,
    flags: presentAt,
    byUid: (uids) => {
      const wanted = new Set(uids);
      return Effect.map(presentAt(1, total), (present) => present.filter(({ uid }) => wanted.has(uid)));
    },
    positionBelow: (uid) =>
      whileSelected("search", () => {
        let [low, high] = [0, total];
        while (low < high) {
          const middle = (low + high) >>> 1;
          if (messages[middle]!.uid < uid) low = middle + 1;
          else high = middle;
        }
        return low;
      }),
  };
};
