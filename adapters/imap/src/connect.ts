import type { MailServer, MailServerError } from "@postern/core/mail";
import type { LoginRefused, MailCredential } from "@postern/core/auth";
import { Effect, Redacted } from "effect";
import { ImapFlow } from "imapflow";
import { connectFailure, isProgrammingError, timedOut, unauthenticated } from "./imap-failure.ts";
import { countConnection, timed } from "./imap-metrics.ts";
import type { ImapSettings } from "./ImapOptions.ts";
import { disableNamePrefix, keepRefusals } from "./imapflow-internals.ts";

/** Opens and signs in a connection, which the caller closes. If interrupted, closes it itself. */
export const connect = (
  settings: ImapSettings,
  { host, port, tls }: MailServer,
  { username, password }: MailCredential,
): Effect.Effect<ImapFlow, LoginRefused | MailServerError> => {
  const { connect, greeting, command, idle } = settings.timeouts;
  return Effect.callback<ImapFlow, LoginRefused | MailServerError>((resume) => {
    const client = new ImapFlow({
      host,
      port,
      secure: tls === "implicit",
      ...(tls === "implicit" ? {} : { doSTARTTLS: tls === "starttls" }),
      auth: { user: username, pass: Redacted.value(password) },
      tls: settings.tlsOptions,
      // imapflow sends its own vendor and address where these are missing.
      clientInfo: { name: "Postern", version: "", vendor: "", "support-url": "" },
      connectionTimeout: connect,
      greetingTimeout: greeting,
      // Longer than our own timeouts: imapflow's watchdog would send NOOPs on idle connections.
      socketTimeout: 2 * Math.max(idle, command),
      logger: false,
      disableAutoIdle: true,
      disableCompression: true,
    });
    // Without a listener an 'error' event ends the process. The command in flight gets the same error.
    client.on("error", () => {});
    client.connect().then(
      () => {
        // A PREAUTH greeting, for which imapflow keeps no text, admits every client without checking the password.
        if (client.greeting === undefined) {
          client.close();
          return resume(Effect.fail(unauthenticated()));
        }
        disableNamePrefix(client);
        keepRefusals(client);
        resume(Effect.succeed(client));
      },
      (error) => {
        client.close();
        resume(isProgrammingError(error) ? Effect.die(error) : Effect.fail(connectFailure(error)));
      },
    );
    return Effect.sync(() => client.close());
  }).pipe(
    Effect.timeoutOrElse({
      duration: connect + greeting + command,
      orElse: () => Effect.fail(timedOut("login", connect + greeting + command)),
    }),
    (login) => timed("login", login),
    Effect.tap((client) => Effect.map(countConnection, (closed) => client.once("close", closed))),
  );
};
