import type { AccountId } from "@postern/core/shared";
import { FolderNotFound } from "@postern/core/mail";
import { applyFlagChange, type MailboxPlace, MessageChanges, MessageNotFound } from "@postern/core/messages";
import { Effect, Layer } from "effect";
import type { ImapFlow } from "imapflow";
import { command } from "../connection/command.ts";
import { expungeEverywhere } from "../changing/expunge-everywhere.ts";
import { ImapConnections } from "../session/ImapConnections.ts";
import type { ImapSettings } from "../connection/ImapOptions.ts";
import { messageSummary } from "../reading/message-summary.ts";
import { moveAndFind } from "../changing/move-and-find.ts";
import { openMessage } from "../reading/open-message.ts";
import { openWithPresent } from "../visiting/open-with-present.ts";
import { openPlace } from "../selecting/open-place.ts";
import { notFoundWhereGone } from "../selecting/not-found-where-gone.ts";
import { storeFlags } from "../changing/store-flags.ts";

/** Changes messages over IMAP (spec 5). */
export const layer = (settings: ImapSettings): Layer.Layer<MessageChanges, never, ImapConnections> =>
  Layer.effect(
    MessageChanges,
    Effect.gen(function* () {
      const connections = yield* ImapConnections;
      const { command: timeout } = settings.timeouts;

      /** Opens the mailbox and runs work on the messages that still exist. */
      const onPresent = <A, E>(
        account: AccountId,
        mailbox: MailboxPlace,
        uids: ReadonlyArray<number>,
        none: A,
        work: (client: ImapFlow, present: ReadonlyArray<number>) => Effect.Effect<A, E>,
      ) => {
        const open = connections.hold(account, "interactive", mailbox.path, (client) =>
          openPlace(client, mailbox, timeout),
        );
        const openWith = connections.hold(account, "interactive", mailbox.path, (client) =>
          Effect.map(openWithPresent(client, mailbox, uids, timeout), (present) => ({ client, present })),
        );
        return (uids.length === 0 ? Effect.map(open, (client) => ({ client, present: [] })) : openWith).pipe(
          Effect.flatMap(({ client, present }) =>
            present.length === 0 ? Effect.succeed(none) : work(client, present),
          ),
          Effect.scoped,
          notFoundWhereGone(Effect.scoped(open)),
        );
      };

      const isThere = (client: ImapFlow, path: string) =>
        Effect.map(
          command(client, "list", timeout, () => client.list({ listOnly: true })),
          (entries) => entries.some((entry) => entry.path === path && !entry.flags.has("\\Noselect")),
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
            notFoundWhereGone(
              Effect.scoped(
                connections.hold(account, "interactive", place.path, (client) => openPlace(client, place, timeout)),
              ),
            )(work),
        ),
        move: Effect.fn("MessageChanges.move")((account, mailbox, uids, to) =>
          onPresent(account, mailbox, uids, [], (client, present) =>
            Effect.catchTag(moveAndFind(client, present, to, timeout), "MailServerError", (error) =>
              Effect.flatMap(isThere(client, to), (there) => Effect.fail(there ? error : new FolderNotFound())),
            ),
          ),
        ),
        destroy: Effect.fn("MessageChanges.destroy")((account, mailbox, uids) =>
          onPresent(account, mailbox, uids, new Set<number>(), (client, present) =>
            Effect.as(expungeEverywhere(client, present, timeout), new Set(present)),
          ),
        ),
      });
    }),
  );

const NO_PARTS = { header: false, sections: [], limit: 0 };
