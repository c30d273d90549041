import type { ConnectionCause } from "@postern/core/accounts";
import type { MailCredential } from "@postern/core/auth";
import type { MailServer } from "@postern/core/mail";
import { type ServerInMemory, ServersInMemory } from "@postern/memory";
import { ProbedServers } from "@postern/testkit";
import { Effect, Layer, Redacted } from "effect";

const CREDENTIAL = {
  _tag: "Password" as const,
  username: "jane@example.org",
  password: Redacted.make("correct horse"),
};

const PRESENT = { uidValidity: 1, uidNext: 1, highestModSeq: null };

const isRight = (credential: MailCredential): boolean =>
  credential._tag === "Password" &&
  credential.username === CREDENTIAL.username &&
  Redacted.value(credential.password) === Redacted.value(CREDENTIAL.password);

/** The differences in the world and in the record of the server. */
const CHANGES: Partial<Record<ConnectionCause | "accepts", [Partial<ServerInMemory>, Partial<MailServer>]>> = {
  accepts: [{}, {}],
  not_found: [{}, { host: "missing.invalid" }],
  address_denied: [{}, { host: "10.0.0.1" }],
  refused: [{}, { port: 1 }],
  timeout: [{ security: "implicit" }, {}],
  tls_failed: [{}, { tls: "implicit" }],
  certificate_untrusted: [{ untrustedCertificate: "ab" }, {}],
  starttls_missing: [{ security: "none" }, { certificateSha256: "ab" }],
};

/** Servers in memory, each at a separate port. */
export const ProbedServersInMemory = Layer.effect(
  ProbedServers,
  Effect.map(ServersInMemory, (servers) =>
    ProbedServers.of({
      start: (protocol, behaviour) =>
        Effect.sync(() => {
          const port = 1000 + servers.size;
          const [world, record] = CHANGES[behaviour] ?? [
            behaviour === "not_a_mail_server"
              ? { protocol: protocol === "imap" ? "smtp" : "imap" }
              : { signIn: () => behaviour as ConnectionCause },
            {},
          ];
          servers.set(`127.0.0.1:${port}`, {
            protocol,
            security: "starttls",
            untrustedCertificate: null,
            capabilities: ["AUTH PLAIN", "ID", "SIZE"],
            signIn: (credential) => (isRight(credential) ? PRESENT : "auth_refused"),
            ...world,
          });
          const server: MailServer = { host: "127.0.0.1", port, tls: "starttls", origin: "account", ...record };
          return { server, credential: CREDENTIAL, received: () => "" };
        }),
    }),
  ),
);
