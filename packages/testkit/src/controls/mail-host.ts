import { Effect, Layer, ManagedRuntime } from "effect";
import { Dovecot, type DovecotOptions } from "../servers/Dovecot.ts";
import type { DeliveredMessage } from "../servers/dovecot-maildir.ts";
import { openConversation, quoteString } from "./mail-conversation.ts";
import { encodeMailboxName } from "../servers/mail-names.ts";
import { ScriptedSmtp } from "./ScriptedSmtp.ts";

export interface MailHostOptions extends DovecotOptions {
  readonly accounts: ReadonlyArray<string>;
  /** The password of every account. */
  readonly password: string;
  /** Returns the user of an access token that the SMTP server accepts, if Dovecot takes access tokens. */
  readonly userOf?: (token: string) => string | undefined;
}

/**
 * A Dovecot, and an SMTP server that delivers to its INBOX before it replies. For tests outside Effect that run a whole
 * service.
 */
export const startMailHost = async ({ accounts, password, userOf, ...options }: MailHostOptions) => {
  const smtpOptions = userOf === undefined ? {} : { userOf, extensions: ["AUTH PLAIN XOAUTH2 OAUTHBEARER"] };
  const runtime = ManagedRuntime.make(Layer.mergeAll(Dovecot.layer(options), ScriptedSmtp.layer(smtpOptions)));
  const [dovecot, smtp] = await runtime.runPromise(Effect.all([Dovecot, ScriptedSmtp]));
  for (const account of accounts) {
    await runtime.runPromise(dovecot.setPassword(account, password));
    smtp.setPassword(account, password);
  }

  const append = async (account: string, path: string, raw: string): Promise<void> => {
    const session = await openConversation(dovecot.host, dovecot.port, account, password);
    await session.command("APPEND", quoteString(encodeMailboxName(path)), Buffer.from(raw, "latin1"));
    session.close();
  };
  let delivered = 0;
  const deliverTaken = async (): Promise<void> => {
    for (; delivered < smtp.taken().length; delivered++) {
      const { raw, recipients } = smtp.taken()[delivered]!;
      for (const account of recipients.filter((address) => accounts.includes(address))) {
        await append(account, "INBOX", raw);
      }
    }
  };
  // One delivery at a time, so that no reply overtakes the delivery of its message.
  let deliveries = Promise.resolve();
  smtp.onStage(async (stage) => {
    if (stage === "reply") await (deliveries = deliveries.then(deliverTaken));
  });

  return {
    /** The variables `IMAP_URL` and `SMTP_URL` for the environment of the service. */
    imapUrl: `imap://${dovecot.host}:${dovecot.port}`,
    smtpUrl: `smtp://${smtp.host}:${smtp.port}`,
    smtp,
    /** Creates a mailbox and writes messages into it, oldest first, before any client reads it. */
    deliver: (account: string, path: string, messages: Iterable<DeliveredMessage>): Promise<void> =>
      runtime.runPromise(dovecot.deliver(account, path, messages)),
    stop: (): Promise<void> => runtime.dispose(),
  };
};
