import { FolderNotFound } from "@postern/core/mail";
import { MessageFingerprints } from "@postern/core/watch";
import { Effect, Layer } from "effect";
import { arrivedOf } from "./InboxWatch.ts";
import { signedIn } from "../mail/signed-in.ts";

/** What tells messages of a `MailWorld` from others. */
export const layer = Layer.effect(
  MessageFingerprints,
  Effect.map(signedIn, (signedIn) => ({
    of: Effect.fnUntraced(function* (id, path, uids) {
      const mailbox = (yield* signedIn(id)).find(path)?.mailbox;
      if (!mailbox) return yield* new FolderNotFound();
      const isWanted = (uid: number) => ("upTo" in uids ? uid <= uids.upTo : uids.includes(uid));
      return mailbox.messages.filter(({ uid }) => isWanted(uid)).map(arrivedOf);
    }),
  })),
);
