import type { ConnectionCause } from "@postern/core/accounts";
import type { MailServer } from "@postern/core/mail";
import { type ServerInMemory, ServersInMemory } from "@postern/memory";
import { ProbedServers } from "@postern/testkit";
import { Effect, Layer, Redacted } from "effect";

const CREDENTIAL = {
  _tag: "Password" as const,
  username: "jane@example.org",
  password: Redacted.make("correct horse"),
};

/** What differs in the world, and in the record of the server. */
const CHANGES: Partial<Record<ConnectionCause | "accepts", [Partial<ServerInMemory>, Partial<MailServer>]>> = {
  accepts: [{}, {}],
  not_found: [{}, { host: "missing.invalid" }],
  address_denied: [{}, { host: "10.0.0.1" }],
  refused: [{}, { port: 1 }],
  timeout: [{ security: "implicit" }, {}],
  tls_failed: [{}, { tls: "implicit" }],
  certificate_untrusted: [{ untrustedCertificate: "ab" }, {}],
  starttls_missing: [{ security: "none" }, { certificateSha256: "ab" }],
  auth_refused: [{ passwords: new Map() }, {}],
};

/** Servers in memory, each at a port of its own. */
export const ProbedServersInMemory = Layer.effect(
  ProbedServers,
  Effect.map(ServersInMemory, (servers) =>
    ProbedServers.of({
      start: (protocol, behaviour) =>
        Effect.sync(() => {
          const port = 1000 + servers.size;
          const fails = behaviour === "accepts" ? null : behaviour;
          const [world, record] = CHANGES[behaviour] ?? [
            behaviour === "not_a_mail_server" ? { protocol: protocol === "imap" ? "smtp" : "imap" } : { fails },
            {},
          ];
          servers.set(`127.0.0.1:${port}`, {
            protocol,
            security: "starttls",
            untrustedCertificate: null,
            capabilities: ["SIZE", "AUTH PLAIN", "ID"],
            passwords: new Map([[CREDENTIAL.username, Redacted.value(CREDENTIAL.password)]]),
            fails: null,
            ...world,
          });
          const server: MailServer = { host: "127.0.0.1", port, tls: "starttls", origin: "account", ...record };
          return { server, credential: CREDENTIAL, received: () => "" };
        }),
    }),
  ),
);
