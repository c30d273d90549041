import { HostAdmission } from "@postern/core/accounts";
import { AccountId, EgressGuard } from "@postern/core/shared";
import type { PasswordCredential } from "@postern/core/auth";
import { MailCredentials } from "@postern/core/oauth";
import { type MailServer, MailServers } from "@postern/core/mail";
import { MailTransport } from "@postern/core/send";
import { Context, Effect, Layer, Redacted } from "effect";
import { layer as mailTransport } from "./MailTransport.ts";
import { SmtpConnections } from "../SmtpConnections.ts";
import { settingsOf, type SmtpOptions } from "../SmtpOptions.ts";

/** The SMTP server for notices to owners (`NOTIFY_SMTP_URL`, spec 1). */
export interface NoticeServer extends SmtpOptions, Omit<MailServer, "origin"> {
  /** The credential; null if the server requires none. */
  readonly credential: { readonly username: string; readonly password: Redacted.Redacted } | null;
}

/** The account id of the notice server. No user has this account, so its connections are separate. */
const NOTIFIER = AccountId("notices@localhost");

const NO_PASSWORD: PasswordCredential = { _tag: "Password", username: "", password: Redacted.make("") };

/** Sends notices through the notice server, and all other messages through the given transport. */
export const withNotices = (server: NoticeServer): Layer.Layer<MailTransport, never, MailTransport> => {
  const settings = settingsOf(server);
  const smtp: MailServer = { ...server, origin: "operator" };
  const notices = mailTransport(settings).pipe(
    Layer.provide([SmtpConnections.layer(settings), MailServers.fixed({ imap: smtp, smtp })]),
    Layer.provide(
      Layer.succeed(MailCredentials, {
        of: () => Effect.succeed({ credential: { ...NO_PASSWORD, ...server.credential }, version: 0 }),
        version: () => Effect.succeed(0),
        renew: () => Effect.succeed(false),
        keepFresh: () => Effect.never,
        reject: () => Effect.die("the credential for notices is no account's"),
        recordAccepted: () => Effect.void,
        recordAnswer: () => Effect.void,
      }),
    ),
    Layer.provide(HostAdmission.unlimited),
    Layer.provide(
      Layer.succeed(EgressGuard, { resolve: () => Effect.die("the server for notices is the operator's") }),
    ),
  );
  return Layer.effect(
    MailTransport,
    Effect.gen(function* () {
      const mail = yield* MailTransport;
      const notifier = Context.get(yield* Layer.build(notices), MailTransport);
      return MailTransport.of({
        deliver: (account, submission, beforeDot) =>
          submission.kind === "notice"
            ? notifier.deliver(NOTIFIER, submission, beforeDot)
            : mail.deliver(account, submission, beforeDot),
        maxMessageBytes: mail.maxMessageBytes,
      });
    }),
  );
};
