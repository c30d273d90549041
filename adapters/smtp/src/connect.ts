import type { Socket } from "node:net";
import type { Recording } from "@postern/core/accounts";
import type { MailCredential } from "@postern/core/auth";
import { KnownFloods, type MailServer } from "@postern/core/mail";
import type { AddressDenied, EgressGuard, HostUnresolved } from "@postern/core/shared";
import { dial } from "@postern/egress";
import { Clock, Effect, Redacted } from "effect";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { JUDGED_BY_PIN } from "./is-pinned.ts";
import {
  boundReplies,
  amountReceived,
  noteEncryption,
  record,
  requirePinned,
  withoutEmptyMessages,
} from "./nodemailer-internals.ts";
import { failureOf, FLOOD, type SmtpError } from "./smtp-failure.ts";
import type { SmtpSettings } from "./SmtpOptions.ts";
import { customAuth, tokenAuth } from "./token-login.ts";

/** The maximum size of one reply in bytes. */
const MAX_REPLY_BYTES = 64 * 1024;

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

/**
 * The route to a server. nodemailer itself connects to a server of the operator; for an account's own server it gets a
 * socket to a checked address.
 */
interface Route {
  readonly socket: Socket | undefined;
  readonly requireTLS: boolean;
}

const routeTo = Effect.fnUntraced(function* (
  guard: EgressGuard["Service"],
  { timeouts }: SmtpSettings,
  { origin, host, port, tls, certificateSha256 }: MailServer,
): Effect.fn.Return<Route, AddressDenied | HostUnresolved | SmtpError> {
  if (origin === "operator") return { socket: undefined, requireTLS: tls === "starttls" };
  const addresses = yield* guard.resolve(host, port);
  const socket = yield* Effect.mapError(dial(addresses, port, timeouts.connect), unreachable);
  return { socket, requireTLS: certificateSha256 !== undefined || addresses.some(({ allowed }) => !allowed) };
});

/**
 * Opens a connection, sends EHLO and, where required, STARTTLS. If interrupted, closes the connection. After a server
 * flooded a connection of this user, does not contact the server for a while (spec 10.4).
 */
export const open = (
  guard: EgressGuard["Service"],
  settings: SmtpSettings,
  server: MailServer,
  user: string,
  recording: Recording | undefined,
): Effect.Effect<SMTPConnection, AddressDenied | HostUnresolved | SmtpError> =>
  Effect.gen(function* () {
    const floods = yield* KnownFloods;
    const clock = yield* Clock.Clock;
    const wait = floods.wait(server, user, clock.currentTimeMillisUnsafe());
    if (wait > 0) return yield* Effect.fail(floodError(wait));
    const noteFlood = () => floods.note(server, user, clock.currentTimeMillisUnsafe());
    return yield* Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(restore(routeTo(guard, settings, server)), (route) =>
        Effect.onError(restore(greet(settings, server, route, recording, noteFlood)), () =>
          Effect.sync(() => route.socket?.destroy()),
        ),
      ),
    );
  }).pipe(Effect.tapError((error) => Effect.sync(() => recording?.note(`not opened: ${failureOf(error).detail}`))));

const greet = (
  { timeouts, tlsOptions }: SmtpSettings,
  { origin, host, port, tls, certificateSha256: pin }: MailServer,
  { socket, requireTLS }: Route,
  recording: Recording | undefined,
  noteFlood: () => void,
): Effect.Effect<SMTPConnection, SmtpError> =>
  Effect.suspend(() => {
    const connection = new SMTPConnection({
      host,
      port,
      ...(socket === undefined ? {} : { connection: socket }),
      secure: tls === "implicit",
      requireTLS,
      ignoreTLS: tls === "plaintext" && origin === "operator",
      tls: pin === undefined ? tlsOptions : { ...tlsOptions, ...JUDGED_BY_PIN },
      connectionTimeout: timeouts.connect,
      greetingTimeout: Math.max(timeouts.connect, timeouts.command),
      dnsTimeout: timeouts.connect,
      socketTimeout: timeouts.command,
      // Data not sent before the close must never be sent.
      socketCloseTimeout: 0,
      maxResponseSize: MAX_REPLY_BYTES,
      customAuth,
      logger: false,
    });
    boundReplies(connection);
    if (recording !== undefined) record(connection, recording);
    if (pin !== undefined) requirePinned(connection, pin);
    // Without a listener an 'error' event ends the process. The step in flight gets the same error.
    connection.on("error", ({ code }: SmtpError) => void (code === FLOOD && noteFlood()));
    return step<void>(connection, (done) => connection.connect((error) => done(error))).pipe(
      Effect.mapError((error) => Object.assign(error, { heard: amountReceived(connection) })),
      Effect.tap(() => Effect.sync(() => withoutEmptyMessages(connection))),
      Effect.tap(() => Effect.sync(() => recording !== undefined && noteEncryption(connection, recording))),
      Effect.as(connection),
    );
  });

const floodError = (wait: number): SmtpError =>
  Object.assign(
    new Error(`the server sent more than was asked for; it is contacted again in ${Math.ceil(wait / 1000)} s`),
    {
      code: FLOOD,
    },
  );

/** Returns the error of a failed connection in the form of nodemailer's errors. */
const unreachable = (error: NodeJS.ErrnoException): SmtpError =>
  Object.assign(error, { originalCode: error.code ?? "", code: error.code === "ETIMEDOUT" ? "ETIMEDOUT" : "ESOCKET" });

/** Signs in unless the user name is empty. Fails if the server offers no AUTH, unless that is allowed. */
export const login = (
  connection: SMTPConnection,
  credential: MailCredential,
  requireAuth: boolean,
): Effect.Effect<void, SmtpError> => {
  if (credential.username === "") return Effect.void;
  const refuse = (reason: string) =>
    Effect.suspend(() => {
      connection.close();
      return Effect.fail(Object.assign(new Error(reason), { code: "EAUTH" }));
    });
  if (!connection.allowsAuth) {
    return requireAuth ? refuse("the server offers no AUTH (SMTP_REQUIRE_AUTH)") : Effect.void;
  }
  const auth =
    credential._tag === "Password"
      ? { user: credential.username, pass: Redacted.value(credential.password) }
      : tokenAuth(connection, credential);
  if (auth === undefined) return refuse("the server takes no access tokens");
  return Effect.asVoid(step<boolean | undefined>(connection, (done) => connection.login(auth, done)));
};
