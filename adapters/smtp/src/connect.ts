import type { MailServer } from "@postern/core/mail";
import type { KeptCredential } from "@postern/core/auth";
import { Effect, Redacted } from "effect";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { withoutPipelining } from "./nodemailer-internals.ts";
import type { SmtpError } from "./smtp-failure.ts";
import type { SmtpSettings } from "./SmtpOptions.ts";

/** Runs a step of a connection, and closes the connection if the step fails or is interrupted. */
export const step = <A>(
  connection: SMTPConnection,
  run: (done: (error: Error | null | undefined, answer: A) => void) => void,
): Effect.Effect<A, SmtpError> =>
  Effect.callback<A, SmtpError>((resume) => {
    const lost = (error: SmtpError) => resume(Effect.fail(error));
    const closed = () => lost(closedError());
    connection.once("error", lost);
    connection.once("end", closed);
    run((error, answer) => {
      connection.off("error", lost);
      connection.off("end", closed);
      resume(error ? Effect.fail(error) : Effect.succeed(answer));
    });
    return Effect.sync(() => connection.close());
  }).pipe(Effect.tapError(() => Effect.sync(() => connection.close())));

const closedError = (): SmtpError => Object.assign(new Error("the connection was closed"), { code: "ECONNECTION" });

/** Opens a connection, sends EHLO and, where required, STARTTLS. */
export const open = (
  settings: SmtpSettings,
  { host, port, tls }: MailServer,
): Effect.Effect<SMTPConnection, SmtpError> =>
  Effect.suspend(() => {
    const { timeouts } = settings;
    const connection = new SMTPConnection({
      host,
      port,
      secure: tls === "implicit",
      requireTLS: tls === "starttls",
      ignoreTLS: tls === "plaintext",
      tls: settings.tlsOptions,
      connectionTimeout: timeouts.connect,
      greetingTimeout: Math.max(timeouts.connect, timeouts.command),
      dnsTimeout: timeouts.connect,
      socketTimeout: timeouts.command,
      // Data not sent before the close must never be sent.
      socketCloseTimeout: 0,
      logger: false,
    });
    // Without a listener an 'error' event ends the process. The step in flight gets the same error.
    connection.on("error", () => {});
    return step<void>(connection, (done) => connection.connect((error) => done(error))).pipe(
      Effect.tap(() => Effect.sync(() => withoutPipelining(connection))),
      Effect.as(connection),
    );
  });

/** Signs in unless the user name is empty. Fails at a server that offers no AUTH, unless that is allowed. */
export const login = (
  connection: SMTPConnection,
  { username, password }: KeptCredential,
  { requireAuth }: SmtpSettings,
): Effect.Effect<void, SmtpError> => {
  if (username === "") return Effect.void;
  if (connection.allowsAuth) {
    const credential = { user: username, pass: Redacted.value(password) };
    return Effect.asVoid(step<boolean | undefined>(connection, (done) => connection.login(credential, done)));
  }
  if (!requireAuth) return Effect.void;
  return Effect.suspend(() => {
    connection.close();
    return Effect.fail(Object.assign(new Error("the server offers no AUTH (SMTP_REQUIRE_AUTH)"), { code: "EAUTH" }));
  });
};
