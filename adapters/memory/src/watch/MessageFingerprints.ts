import { FolderNotFound, FolderNotSelectable } from "@postern/core/mail";
import { MessageFingerprints } from "@postern/core/watch";
import { Effect, Layer } from "effect";
import { arrivedMessageOf } from "./InboxWatch.ts";
import { signedIn } from "../mail/signed-in.ts";

/** Returns fingerprints of messages of a `MailWorld`. */
export const layer = Layer.effect(
  MessageFingerprints,
  Effect.map(signedIn, (signedIn) => ({
    of: Effect.fnUntraced(function* (id, path, uids) {
      const named = (yield* signedIn(id)).find(path);
      if (named === undefined) return yield* new FolderNotFound();
      if (named.mailbox === null) return yield* new FolderNotSelectable();
      const isWanted = (uid: number) =>
        "upTo" in uids ? uid <= uids.upTo : "from" in uids ? uid >= uids.from : uids.includes(uid);
      const { messages, uidValidity } = named.mailbox;
      return { uidValidity, messages: messages.filter(({ uid }) => isWanted(uid)).map(arrivedMessageOf) };
    }),
  })),
);
