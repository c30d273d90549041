import { type ConnectionCause, ServerProbe } from "@postern/core/accounts";
import { probeImap } from "@postern/imap";
import {
  makeAuthority,
  type ProbedServer,
  ProbedServers,
  rawServer,
  scriptedGuard,
  serverProbeContract,
} from "@postern/testkit";
import { Effect, Layer, Redacted, Scope } from "effect";
import { afterAll } from "vitest";
import { speakImap } from "./speak-imap.ts";

const authority = makeAuthority();
afterAll(authority.remove);

const CREDENTIAL = {
  _tag: "Password" as const,
  username: "jane@example.org",
  password: Redacted.make("correct horse"),
};

/** Answers LOGIN: the right user and password pass, and others are refused. */
const knows = (command: string) =>
  /^LOGIN (?!"?jane@example\.org"? "correct horse"$)/.test(command) ? REFUSED : undefined;
const REFUSED = "NO [AUTHENTICATIONFAILED] Authentication failed.";

const refusing = (text: string, capabilities = "IMAP4rev1") =>
  rawServer(
    speakImap({ capabilities, answer: (command) => (/^(LOGIN|AUTHENTICATE)/.test(command) ? text : undefined) }),
  );

const closedPort = Effect.map(Effect.scoped(rawServer(() => {})), ({ port }) => ({ port, received: () => "" }));

/** A server for each behaviour, with the differences in the server's record. */
const SERVERS: {
  readonly [B in ConnectionCause | "accepts"]: {
    readonly server: Effect.Effect<{ readonly port: number; readonly received: () => string }, never, Scope.Scope>;
    readonly record?: Partial<ProbedServer["server"]>;
  };
} = {
  accepts: { server: rawServer(speakImap({ answer: knows })) },
  not_found: { server: rawServer(speakImap()), record: { host: "missing.invalid" } },
  address_denied: { server: rawServer(speakImap()), record: { host: "10.0.0.1" } },
  refused: { server: closedPort },
  timeout: { server: rawServer(() => {}) },
  tls_failed: { server: rawServer(speakImap()), record: { tls: "implicit" } },
  certificate_untrusted: {
    server: rawServer(speakImap(), authority.selfSigned("IP:127.0.0.1")),
    record: { tls: "implicit" },
  },
  starttls_missing: { server: rawServer(speakImap()), record: { certificateSha256: "ab".repeat(32) } },
  not_a_mail_server: { server: rawServer((socket) => void socket.write("HTTP/1.1 400 Bad Request\r\n\r\n")) },
  too_many_connections: { server: refusing("NO [UNAVAILABLE] Too many connections") },
  unavailable: { server: refusing("NO Server Unavailable. 15") },
  auth_refused: { server: refusing(REFUSED) },
  app_password_required: { server: refusing("NO [ALERT] Application-specific password required (Failure)") },
  oauth_required: { server: refusing("NO no", "IMAP4rev1 LOGINDISABLED AUTH=XOAUTH2 AUTH=OAUTHBEARER") },
  basic_auth_disabled: { server: refusing("NO AUTHENTICATE failed: basic authentication is disabled.") },
  imap_disabled: { server: refusing("NO [ALERT] Your account is not enabled for IMAP use. (Failure)") },
  server_flood: { server: rawServer((socket) => void socket.write(`* OK ${"x".repeat(1 << 20)}`)) },
  protocol: { server: refusing("BAD what is that") },
};

const servers = Layer.effect(
  ProbedServers,
  Effect.map(Effect.scope, (scope) =>
    ProbedServers.of({
      start: Effect.fnUntraced(function* (_, behaviour) {
        const { server, record } = SERVERS[behaviour];
        const { port, received } = yield* Scope.provide(server, scope);
        return {
          server: { host: "127.0.0.1", port, tls: "starttls", origin: "account", ...record },
          credential: CREDENTIAL,
          received,
        };
      }),
    }),
  ),
);

const probe = Layer.effect(
  ServerProbe,
  Effect.map(
    probeImap({ timeouts: { connect: "1 second", greeting: "600 millis", command: "1 second" } }),
    (imap): ServerProbe["Service"] => ({ imap, smtp: () => Effect.die("the half of another adapter") }),
  ),
).pipe(Layer.provide(scriptedGuard()));

serverProbeContract("ServerProbe over IMAP", "imap", Layer.merge(probe, servers));
