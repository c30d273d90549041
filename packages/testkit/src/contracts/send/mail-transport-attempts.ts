import type { AccountId } from "@postern/core/shared";
import { CredentialVault } from "@postern/core/auth";
import { MailTransport, type RecipientReplies, type SmtpReply, type Submission } from "@postern/core/send";
import { Effect, Stream } from "effect";
import { MailTransportControl } from "../../controls/MailTransportControl.ts";

export const bytes = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
export const reply = (code: number, enhanced: string): SmtpReply => ({ code, enhanced, text: "because" });
export const TEMPORARY = reply(451, "4.7.1");
export const PERMANENT = reply(550, "5.1.1");

/** Lines that would end the data without dot-stuffing. */
export const MESSAGE = "Subject: x\r\n\r\n.\r\n..\r\n.dot\r\n" + `${"long ".repeat(190)}\r\n.\r\n`;

/** An account with its credential, on a server that refuses nothing. */
export const account = Effect.gen(function* () {
  const control = yield* MailTransportControl;
  yield* control.behave({});
  const made = yield* control.newAccount;
  yield* (yield* CredentialVault).keep(made.account, made.credential);
  return made.account;
});

/**
 * Makes an attempt; returns its outcome, the named server, the calls of `beforeDot`, and the messages accepted by the
 * server.
 */
export const send = Effect.fnUntraced(function* (
  from: AccountId,
  recipients: ReadonlyArray<string>,
  options: { readonly mark?: boolean; readonly message?: Submission["message"]; readonly size?: number } = {},
) {
  const control = yield* MailTransportControl;
  const marks: Array<{ readonly replies: RecipientReplies; readonly takenBefore: number }> = [];
  const before = (yield* control.taken(from)).length;
  const { server, ...outcome } = yield* (yield* MailTransport).deliver(
    from,
    {
      from,
      recipients,
      size: options.size ?? MESSAGE.length,
      envelopeId: "out_1",
      message: options.message ?? Stream.make(bytes(MESSAGE)),
    },
    (replies) =>
      Effect.map(control.taken(from), (taken) => {
        marks.push({ replies, takenBefore: taken.length - before });
        return options.mark ?? true;
      }),
  );
  const taken = (yield* control.taken(from)).slice(before);
  return { outcome, server, marks, taken };
});

/** A slow message, which leaves the server time to reply in the middle. */
export const slow = Stream.fromIterable([MESSAGE, MESSAGE, MESSAGE]).pipe(
  Stream.map(bytes),
  Stream.tap(() => Effect.sleep("100 millis")),
);
