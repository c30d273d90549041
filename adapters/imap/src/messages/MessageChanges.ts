import type { AccountId } from "@postern/core/shared";
import { FolderNotFound, type MailServerError } from "@postern/core/mail";
import { applyFlagChange, type MailboxPlace, MessageChanges, MessageNotFound } from "@postern/core/messages";
import { Effect, Layer } from "effect";
import type { ImapFlow } from "imapflow";
import { command } from "../connection/command.ts";
import { destroyInOpenInbox, isChangedAtOnce, moveFromOpenInbox } from "../changing/change-open-inbox.ts";
import { expungeEverywhere } from "../changing/expunge-everywhere.ts";
import { ImapConnections } from "../session/ImapConnections.ts";
import type { ImapSettings } from "../connection/ImapOptions.ts";
import { messageSummary } from "../reading/message-summary.ts";
import { moveAndFind } from "../changing/move-and-find.ts";
import { openMessage } from "../reading/open-message.ts";
import { openWithPresent } from "../visiting/open-with-present.ts";
import { openPlace } from "../selecting/open-place.ts";
import { failIfGone } from "../selecting/fail-if-gone.ts";
import { storeFlags } from "../changing/store-flags.ts";

/** Changes messages over IMAP (spec 5). */
export const layer = (settings: ImapSettings): Layer.Layer<MessageChanges, never, ImapConnections> =>
  Layer.effect(
    MessageChanges,
    Effect.gen(function* () {
      const connections = yield* ImapConnections;
      const { command: timeout } = settings.timeouts;

      /**
       * Opens the mailbox and runs work on the messages that still exist. In the open INBOX, `atOnce` finds and changes
       * them in one write. If that is not possible, `atOnce` returns undefined and has changed nothing.
       */
      const onPresent = <A, E>(
        account: AccountId,
        mailbox: MailboxPlace,
        uids: ReadonlyArray<number>,
        none: A,
        work: (client: ImapFlow, present: ReadonlyArray<number>) => Effect.Effect<A, E>,
        atOnce?: (client: ImapFlow) => Effect.Effect<A | undefined, E>,
      ) => {
        const open = connections.hold(account, "interactive", mailbox.path, (client) =>
          openPlace(client, mailbox, timeout),
        );
        const present = (client: ImapFlow) => openWithPresent(client, mailbox, uids, timeout);
        const openWith = connections.hold(account, "interactive", mailbox.path, (client) =>
          Effect.map(
            atOnce !== undefined && isChangedAtOnce(client, mailbox) ? Effect.succeed(undefined) : present(client),
            (found) => ({ client, found }),
          ),
        );
        return (uids.length === 0 ? Effect.map(open, (client) => ({ client, found: [] })) : openWith).pipe(
          Effect.flatMap(
            Effect.fnUntraced(function* ({ client, found }) {
              const done = found === undefined && atOnce !== undefined ? yield* atOnce(client) : undefined;
              if (done !== undefined) return done;
              const left = found ?? (yield* present(client));
              return left.length === 0 ? none : yield* work(client, left);
            }),
          ),
          Effect.scoped,
          failIfGone(Effect.scoped(open)),
        );
      };

      const isThere = (client: ImapFlow, path: string) =>
        Effect.map(
          command(client, "list", timeout, () => client.list({ listOnly: true })),
          (entries) => entries.some((entry) => entry.path === path && !entry.flags.has("\\Noselect")),
        );

      /** Converts the refusal of a move if the other mailbox is gone. */
      const orGone = <A>(client: ImapFlow, path: string, move: Effect.Effect<A, MailServerError>) =>
        Effect.catchTag(move, "MailServerError", (error) =>
          Effect.flatMap(isThere(client, path), (there) => Effect.fail(there ? error : new FolderNotFound())),
        );

      return MessageChanges.of({
        setFlags: Effect.fn("MessageChanges.setFlags")((account, mailbox, uids, change) =>
          onPresent(account, mailbox, uids, new Set<number>(), (client, present) =>
            Effect.as(storeFlags(client, present, change, timeout), new Set(present)),
          ),
        ),
        flag: Effect.fn("MessageChanges.flag")(
          function* (account, place, change) {
            const [client, row] = yield* connections.hold(account, "interactive", place.path, (client) =>
              Effect.map(openMessage(client, place, NO_PARTS, timeout), (row) => [client, row] as const),
            );
            yield* storeFlags(client, [place.uid], change, timeout);
            return applyFlagChange(messageSummary(row) ?? (yield* new MessageNotFound()), change);
          },
          Effect.scoped,
          (work, account, place) =>
            failIfGone(
              Effect.scoped(
                connections.hold(account, "interactive", place.path, (client) => openPlace(client, place, timeout)),
              ),
            )(work),
        ),
        move: Effect.fn("MessageChanges.move")((account, mailbox, uids, to) =>
          onPresent(
            account,
            mailbox,
            uids,
            [],
            (client, present) => orGone(client, to, moveAndFind(client, present, to, timeout)),
            (client) => orGone(client, to, moveFromOpenInbox(client, inOrder(uids), to, timeout)),
          ),
        ),
        destroy: Effect.fn("MessageChanges.destroy")((account, mailbox, uids) =>
          onPresent(
            account,
            mailbox,
            uids,
            new Set<number>(),
            (client, present) => Effect.as(expungeEverywhere(client, present, timeout), new Set(present)),
            (client) => destroyInOpenInbox(client, inOrder(uids), timeout),
          ),
        ),
      });
    }),
  );

/** Returns each UID once, ascending. */
const inOrder = (uids: ReadonlyArray<number>): ReadonlyArray<number> =>
  [...new Set(uids)].sort((one, other) => one - other);

const NO_PARTS = { header: false, sections: [], limit: 0 };
