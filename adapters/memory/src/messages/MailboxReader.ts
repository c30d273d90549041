import { FolderNotFound, FolderNotSelectable } from "@postern/core/mail";
import { MailboxReader } from "@postern/core/messages";
import { Effect, Layer } from "effect";
import { mailboxView } from "../mail/mailbox-view.ts";
import { signedIn } from "../mail/signed-in.ts";

/** Opens the mailboxes of a `MailWorld`. */
export const layer = Layer.effect(
  MailboxReader,
  Effect.map(signedIn, (signedIn) => ({
    view: Effect.fnUntraced(function* (id, path) {
      const named = (yield* signedIn(id)).find(path);
      if (named === undefined) return yield* new FolderNotFound();
      return named.mailbox === null ? yield* new FolderNotSelectable() : mailboxView(named.mailbox);
    }),
  })),
);
