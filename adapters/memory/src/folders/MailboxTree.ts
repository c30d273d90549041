import { MailboxTree } from "@postern/core/folders";
import { Effect, Layer } from "effect";
import { listedOf } from "../mail/listed-of.ts";
import { signedIn } from "../mail/signed-in.ts";

/** Lists the mailboxes of a `MailWorld`. */
export const layer = Layer.effect(
  MailboxTree,
  Effect.map(signedIn, (signedIn) => ({
    list: (id) => Effect.map(signedIn(id), (account) => account.list().map(listedOf)),
  })),
);
