import { FolderNotFound, FolderNotSelectable } from "@postern/core/mail";
import { MailboxReader } from "@postern/core/messages";
import type { AccountId } from "@postern/core/shared";
import { Effect, Layer } from "effect";
import { mailboxState, mailboxView } from "../mail/mailbox-view.ts";
import { signedIn } from "../mail/signed-in.ts";

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
