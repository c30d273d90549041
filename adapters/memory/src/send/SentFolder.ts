import type { AccountId } from "@postern/core/shared";
import { MailServerError } from "@postern/core/mail";
import { SentFolder } from "@postern/core/send";
import { Clock, Effect, Layer, Stream } from "effect";
import { checkPermitted } from "../mail/check-permitted.ts";
import { signedIn } from "../mail/signed-in.ts";

/**
 * The Sent folder of an account of the mail world. The fake searches the folder at the same moment as a client with a
 * reused connection.
 */
export const layer = Layer.effect(
  SentFolder,
  Effect.map(signedIn, (signedIn) => {
    /** Accounts whose Sent folder was already searched for a copy made by the mail server. */
    const known = new Set<AccountId>();
    /** The accounts whose server stores sent messages itself. For these accounts, a copy is always searched first. */
    const servedByServer = new Set<AccountId>();
    return {
      keep: Effect.fn("SentFolder.keep")(function* (id, messageId, message, absentUntil) {
        const account = yield* signedIn(id);
        const sent = account.mailbox("Sent");
        const now = yield* Clock.currentTimeMillis;
        const isAbsent = now < absentUntil;
        if (!known.has(id) || !isAbsent || servedByServer.has(id)) {
          if (sent.messages.some(({ summary }) => summary.messageId === messageId)) {
            // A copy that Postern may have stored does not tell whether the server stores copies, so the next copy is
            // searched too.
            if (isAbsent) servedByServer.add(id);
            return;
          }
          known.add(id);
        }
        yield* checkPermitted("append", sent);
        const raw = new Uint8Array(Buffer.concat([...(yield* Stream.runCollect(message))]));
        if (!account.hasRoomFor(raw.length)) {
          return yield* new MailServerError({
            reason: "over_quota",
            operation: "append",
            detail: "the account is full",
          });
        }
        sent.append(raw, now, ["\\Seen"]);
      }),
    };
  }),
);
