import { MailCredentials } from "@postern/core/oauth";
import {
  type AttemptOutcome,
  MailTransport,
  type RecipientReplies,
  type SmtpReply,
  type Submission,
} from "@postern/core/send";
import type { MailboxAccessError } from "@postern/core/mail";
import type { AccountId } from "@postern/core/shared";
import { Clock, Effect, Layer, Option, Stream } from "effect";
import { MailWorld } from "../mail/MailWorld.ts";
import { SmtpInMemory } from "../mail/SmtpInMemory.ts";
import { undeliverableNotice } from "../mail/undeliverable-notice.ts";

const RECIPIENT_ACCEPTED: SmtpReply = { code: 250, enhanced: "2.1.5", text: "recipient ok" };
const MESSAGE_ACCEPTED: SmtpReply = { code: 250, enhanced: "2.0.0", text: "taken" };

/** The name of the only SMTP server of the mail world (`MailWorld`). */
export const SMTP_SERVER = "smtp.postern.test:465";

const notSent = (reason: "unreachable" | "connection_cut" | "busy" | "protocol", detail: string): AttemptOutcome => ({
  _tag: "NotSent",
  reason,
  detail,
});

/**
 * Delivers messages to the accounts of the mail world. Messages to unknown addresses of its domains are returned as
 * undeliverable; messages to other domains are accepted and dropped.
 */
export const layer = Layer.effect(
  MailTransport,
  Effect.gen(function* () {
    const world = yield* MailWorld;
    const smtp = yield* SmtpInMemory;
    const credentials = yield* MailCredentials;
    let notices = 0;
    /** The size limit in bytes that the server announced at each account's last attempt. */
    const limits = new Map<AccountId, number>();

    const take = Effect.fnUntraced(function* (from: string, recipients: ReadonlyArray<string>, raw: Uint8Array) {
      const now = yield* Clock.currentTimeMillis;
      smtp.onTaken?.({ from, recipients, raw });
      for (const recipient of recipients) world.deliverTo(recipient)?.mailbox("INBOX").append(raw, now);
      const unknown = recipients.filter((recipient) => world.hosts(recipient) && !world.deliverTo(recipient));
      if (unknown.length === 0) return;
      const notice = undeliverableNotice(from, unknown, raw, now, ++notices);
      world.deliverTo(from)?.mailbox("INBOX").append(notice, now);
    });

    /** Returns the refusal before DATA, if any. */
    const refusal = (
      { recipients, size }: Submission,
      replies: RecipientReplies,
      version: number,
      isKnown: boolean,
    ): AttemptOutcome | undefined => {
      const { auth, mail, data } = smtp.conduct;
      if (!smtp.isUp) return notSent("unreachable", "the server is down");
      if (auth !== undefined && auth.code < 500) return notSent("busy", auth.text);
      if (auth !== undefined || !isKnown) return { _tag: "AuthRefused", version };
      if (size > smtp.maxMessageBytes) return { _tag: "TooLarge", limit: smtp.maxMessageBytes };
      if (mail !== undefined) return { _tag: "SenderRefused", reply: mail };
      if (recipients.every((recipient) => replies.get(recipient)!.code >= 400)) {
        return { _tag: "RecipientsRefused", replies };
      }
      return data === undefined ? undefined : { _tag: "MessageRefused", reply: data };
    };

    const signIn = Effect.fnUntraced(function* (
      account: AccountId,
    ): Effect.fn.Return<{ readonly isKnown: boolean; readonly version: number }, MailboxAccessError> {
      const current = yield* credentials.of(account);
      const isKnown = world.signIn(current.credential) !== undefined;
      if (!isKnown && (yield* credentials.renew(account, current))) return yield* signIn(account);
      return { isKnown, version: current.version };
    });

    const attempt = Effect.fnUntraced(function* (
      account: AccountId,
      submission: Submission,
      beforeDot: (replies: RecipientReplies) => Effect.Effect<boolean>,
    ): Effect.fn.Return<AttemptOutcome, MailboxAccessError> {
      const { isKnown, version } = yield* signIn(account);
      const { conduct } = smtp;
      if (smtp.isUp) limits.set(account, smtp.maxMessageBytes);
      const replies: RecipientReplies = new Map(
        submission.recipients.map((recipient) => [recipient, conduct.rcpt?.[recipient] ?? RECIPIENT_ACCEPTED]),
      );
      const refused = refusal(submission, replies, version, isKnown);
      if (refused !== undefined) return refused;

      const raw = yield* Effect.option(Stream.runCollect(submission.message));
      if (Option.isNone(raw)) return notSent("busy", "the message could not be read");
      const { body, dot } = conduct;
      if (body === "cut") return notSent("connection_cut", "the connection was closed");
      if (body !== undefined) {
        return body.code < 400
          ? notSent("protocol", "the server accepted a message before its end")
          : { _tag: "MessageRefused", reply: body };
      }
      if (!(yield* beforeDot(replies))) return notSent("protocol", "no dot");
      if (conduct.delay !== undefined) yield* smtp.wait(conduct.delay);
      const accepted = submission.recipients.filter((recipient) => replies.get(recipient)!.code < 400);
      if (dot === undefined || dot === "take and cut") {
        yield* take(submission.from, accepted, new Uint8Array(Buffer.concat([...raw.value])));
      }
      if (typeof dot === "string") {
        return { _tag: "Unknown", reason: "connection_cut", detail: "the connection was closed" };
      }
      return { _tag: "Answered", reply: dot ?? MESSAGE_ACCEPTED };
    });

    return MailTransport.of({
      deliver: Effect.fn("MailTransport.deliver")(function* (account, submission, beforeDot) {
        const outcome = yield* attempt(account, submission, beforeDot);
        return { ...outcome, server: SMTP_SERVER };
      }),
      maxMessageBytes: (account) => Effect.sync(() => Option.fromUndefinedOr(limits.get(account))),
    });
  }),
);
