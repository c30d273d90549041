import { SentFolder } from "@postern/core/send";
import { Clock, Effect, Layer, Stream } from "effect";
import { signedIn } from "../mail/signed-in.ts";

/** The Sent folder of an account of the mail world. */
export const layer = Layer.effect(
  SentFolder,
  Effect.map(signedIn, (signedIn) => ({
    keep: Effect.fn("SentFolder.keep")(function* (id, messageId, message) {
      const sent = (yield* signedIn(id)).mailbox("Sent");
      if (sent.messages.some(({ summary }) => summary.messageId === messageId)) return;
      const raw = new Uint8Array(Buffer.concat([...(yield* Stream.runCollect(message))]));
      sent.append(raw, yield* Clock.currentTimeMillis, ["\\Seen"]);
    }),
  })),
);
