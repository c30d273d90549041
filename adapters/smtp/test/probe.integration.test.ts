import { type ConnectionCause, ServerProbe } from "@postern/core/accounts";
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
import { probeSmtp } from "../src/index.ts";
import { speakSmtp } from "./speak-smtp.ts";

const authority = makeAuthority();
afterAll(authority.remove);

const CREDENTIAL = {
  _tag: "Password" as const,
  username: "jane@example.org",
  password: Redacted.make("correct horse"),
};

const REFUSED = "535 5.7.8 Authentication credentials invalid";

const knows = (credential: string) => (credential === "\0jane@example.org\0correct horse" ? "235 welcome" : REFUSED);

const refusing = (reply: string, mechanisms = "PLAIN LOGIN XOAUTH2") =>
  rawServer(speakSmtp({ extensions: ["SIZE 1000", `AUTH ${mechanisms}`], auth: () => reply }));

const closedPort = Effect.map(Effect.scoped(rawServer(() => {})), ({ port }) => ({ port, received: () => "" }));

/** A server for each behaviour, with the differences in the server's record. */
const SERVERS: {
  readonly [B in ConnectionCause | "accepts"]: {
    readonly server: Effect.Effect<{ readonly port: number; readonly received: () => string }, never, Scope.Scope>;
    readonly record?: Partial<ProbedServer["server"]>;
  };
} = {
  accepts: { server: rawServer(speakSmtp({ auth: knows })) },
  not_found: { server: rawServer(speakSmtp()), record: { host: "missing.invalid" } },
  address_denied: { server: rawServer(speakSmtp()), record: { host: "10.0.0.1" } },
  refused: { server: closedPort },
  timeout: { server: rawServer(() => {}) },
  tls_failed: { server: rawServer(speakSmtp()), record: { tls: "implicit" } },
  certificate_untrusted: {
    server: rawServer(speakSmtp(), authority.selfSigned("IP:127.0.0.1")),
    record: { tls: "implicit" },
  },
  starttls_missing: { server: rawServer(speakSmtp()), record: { certificateSha256: "ab".repeat(32) } },
  not_a_mail_server: { server: rawServer((socket) => void socket.write("HTTP/1.1 400 Bad Request\r\n\r\n")) },
  too_many_connections: { server: rawServer((socket) => void socket.write("421 4.7.0 Too many connections\r\n")) },
  unavailable: { server: refusing("454 4.7.0 Temporary authentication failure") },
  auth_refused: { server: refusing(REFUSED) },
  app_password_required: { server: refusing("534-5.7.9 Application-specific password required.\r\n534 5.7.9 see") },
  oauth_required: { server: refusing("504 no", "XOAUTH2 OAUTHBEARER") },
  basic_auth_disabled: {
    server: refusing("535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant."),
  },
  imap_disabled: { server: refusing("535 5.7.8 Error: This user does not have access rights to this service") },
  server_flood: { server: rawServer((socket) => void socket.write("220 hello\r\n250 hello\r\n".repeat(100_000))) },
  protocol: { server: rawServer((socket) => socket.once("data", () => socket.end()).write("220 smtp.test\r\n")) },
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
  Effect.map(probeSmtp({ timeouts: { connect: "1 second", command: "1 second" } }), (smtp): ServerProbe["Service"] => ({
    smtp,
    imap: () => Effect.die("the half of another adapter"),
  })),
).pipe(Layer.provide(scriptedGuard()));

serverProbeContract("ServerProbe over SMTP", "smtp", Layer.merge(probe, servers));
