import type { Recording } from "@postern/core/accounts";
import type { MailCredential } from "@postern/core/auth";
import { KnownFloods, type MailServer } from "@postern/core/mail";
import type { AddressDenied, EgressGuard, HostUnresolved } from "@postern/core/shared";
import { Clock, Data, Effect, Redacted } from "effect";
import { ImapFlow, type ImapFlowError, ImapFlowErrorCode, type ImapFlowOptions } from "imapflow";
import { boundResponses, flood } from "../wire/bound-responses.ts";
import { dial } from "@postern/egress";
import type { ImapSettings } from "./ImapOptions.ts";
import { checkGreeting, dropUnreadableCodes, hasReceivedBytes, notImap } from "../wire/imapflow-internals.ts";
import { readLongSearches } from "../wire/read-long-searches.ts";
import { readVanished } from "../wire/read-vanished.ts";
import { sendLiteralsAtOnce } from "../wire/send-literals-at-once.ts";
import { sendInitialResponse } from "../wire/initial-response.ts";
import { joinAfterSignIn } from "./after-sign-in.ts";
import { logOf, noteClose } from "../wire/log-of.ts";
import { transportOver } from "../wire/transport-over.ts";

/** An error of imapflow or Node before the session began, and the server's announcements until then. */
export class NotOpened extends Data.TaggedError("NotOpened")<{
  readonly error: unknown;
  readonly capabilities: ReadonlySet<string>;
}> {}

/** The route to a server. imapflow itself connects to a server of the operator; for an account's own server it gets a socket to a checked address. */
type Route = Pick<ImapFlowOptions, "doSTARTTLS" | "transport">;

/** The use of a client. `verification`: the connection only verifies a credential, and returns the STATUS of INBOX. */
export type ClientUse = "session" | "verification";

const NOTHING: ReadonlySet<string> = new Set();

const routeTo = Effect.fnUntraced(function* (
  guard: EgressGuard["Service"],
  { timeouts, tlsOptions }: ImapSettings,
  { origin, host, port, tls, certificateSha256: pin }: MailServer,
): Effect.fn.Return<{ readonly route: Route; readonly close: () => void }, AddressDenied | HostUnresolved | NotOpened> {
  if (origin === "operator") {
    return { route: tls === "implicit" ? {} : { doSTARTTLS: tls === "starttls" }, close: () => {} };
  }
  const addresses = yield* guard.resolve(host, port);
  const socket = yield* Effect.mapError(
    dial(addresses, port, timeouts.connect),
    (error) => new NotOpened({ error, capabilities: NOTHING }),
  );
  const mayBePlain = pin === undefined && addresses.every(({ allowed }) => allowed);
  const transport = transportOver(socket, pin, tlsOptions);
  return {
    route: tls === "implicit" || mayBePlain ? { transport } : { transport, doSTARTTLS: true },
    close: () => socket.destroy(),
  };
});

/**
 * Opens and signs in a connection, which the caller closes. If interrupted, the function closes it. A server that
 * flooded a connection of this user is not contacted for a while.
 */
export const openClient = (
  guard: EgressGuard["Service"],
  settings: ImapSettings,
  server: MailServer,
  credential: MailCredential,
  use: ClientUse,
  recording: Recording | undefined,
): Effect.Effect<ImapFlow, AddressDenied | HostUnresolved | NotOpened> =>
  Effect.gen(function* () {
    const floods = yield* KnownFloods;
    const clock = yield* Clock.Clock;
    const user = server.username ?? credential.username;
    const wait = floods.wait(server, user, clock.currentTimeMillisUnsafe());
    if (wait > 0) {
      const error = flood(
        `the server sent more than was asked for; it is contacted again in ${Math.ceil(wait / 1000)} s`,
      );
      return yield* new NotOpened({ error, capabilities: NOTHING });
    }
    const flooded = () => floods.note(server, user, clock.currentTimeMillisUnsafe());
    return yield* Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(restore(routeTo(guard, settings, server)), ({ route, close }) =>
        Effect.onError(restore(signIn(settings, server, user, credential, route, use, recording, flooded)), () =>
          Effect.sync(close),
        ),
      ),
    );
  }).pipe(Effect.tapError((failure) => Effect.sync(() => recording?.note(`not signed in: ${reasonOf(failure)}`))));

const reasonOf = (failure: AddressDenied | HostUnresolved | NotOpened): string => {
  if (failure._tag === "AddressDenied") return `the egress guard refused the ${failure.rule}`;
  if (failure._tag === "HostUnresolved") return `the host has no address: ${failure.reason}`;
  const { code, message, responseStatus } = failure.error as Partial<ImapFlowError>;
  return responseStatus === undefined ? [code, message].filter(Boolean).join(": ") : "refused by the server";
};

const signIn = (
  { timeouts: { connect, greeting, command, idle }, tlsOptions }: ImapSettings,
  server: MailServer,
  user: string,
  credential: MailCredential,
  route: Route,
  use: ClientUse,
  recording: Recording | undefined,
  flooded: () => void,
): Effect.Effect<ImapFlow, NotOpened> => {
  const within = connect + greeting + command;
  return Effect.callback<ImapFlow, NotOpened>((resume) => {
    const client = new ImapFlow({
      host: server.host,
      port: server.port,
      secure: server.tls === "implicit",
      ...route,
      auth: { user, ...saslOf(credential) },
      tls: tlsOptions,
      // imapflow sends its own vendor and address unless the caller sets these fields.
      clientInfo: { name: "Postern", version: "", vendor: "Postern", "support-url": "" },
      connectionTimeout: connect,
      greetingTimeout: greeting,
      // Longer than the adapter's timeouts, because imapflow's watchdog would otherwise send NOOPs on idle connections.
      socketTimeout: 2 * Math.max(idle, command),
      ...logOf(recording),
      disableAutoIdle: true,
      disableCompression: true,
      disableAutoEnable: use === "verification",
    });
    // Without a listener an 'error' event ends the process. The command in flight gets the same error.
    client.on("error", () => {});
    if (recording !== undefined) noteClose(client, recording);
    sendLiteralsAtOnce(client);
    boundResponses(client, flooded, recording);
    readLongSearches(client);
    readVanished(client);
    dropUnreadableCodes(client);
    checkGreeting(client);
    if (credential._tag === "Password") sendInitialResponse(client, user, Redacted.value(credential.password));
    if (use === "verification") joinAfterSignIn(client);
    client.connect().then(
      () => resume(Effect.succeed(client)),
      (error) => {
        client.close();
        const isNoLine =
          (error as ImapFlowError).code === ImapFlowErrorCode.GREETING_TIMEOUT && hasReceivedBytes(client);
        const capabilities = new Set(client.capabilities.keys());
        const told = isNoLine ? notImap() : takesNoTokens(credential, error, capabilities) ? noTokens() : error;
        resume(Effect.fail(new NotOpened({ error: told, capabilities })));
      },
    );
    return Effect.sync(() => client.close());
  }).pipe(
    Effect.timeoutOrElse({
      duration: within,
      orElse: () => Effect.fail(new NotOpened({ error: late(within), capabilities: NOTHING })),
    }),
  );
};

const saslOf = (credential: MailCredential) =>
  credential._tag === "Password"
    ? { pass: Redacted.value(credential.password) }
    : { accessToken: Redacted.value(credential.token) };

/**
 * Returns whether imapflow gave up because the server announced no mechanism for tokens. In that case imapflow has sent
 * no part of a token.
 */
const takesNoTokens = (
  { _tag: kind }: MailCredential,
  { code, responseStatus }: ImapFlowError,
  capabilities: ReadonlySet<string>,
): boolean =>
  kind === "AccessToken" &&
  code === undefined &&
  responseStatus === undefined &&
  capabilities.size > 0 &&
  !capabilities.has("AUTH=OAUTHBEARER") &&
  !capabilities.has("AUTH=XOAUTH2");

const noTokens = (): Error => Object.assign(new Error("the server takes no access tokens"), { code: "NoTokens" });

const late = (milliseconds: number): Error =>
  Object.assign(new Error(`no answer within ${milliseconds} ms`), { code: "ETIMEDOUT" });
