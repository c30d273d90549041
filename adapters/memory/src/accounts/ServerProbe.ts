import { type ConnectionCause, type ProbeResult, ServerProbe } from "@postern/core/accounts";
import type { MailCredential } from "@postern/core/auth";
import type { MailServer } from "@postern/core/mail";
import { EgressGuard } from "@postern/core/shared";
import { Effect, Layer } from "effect";
import { type ServerInMemory, ServersInMemory } from "./ServersInMemory.ts";

/** Returns why a connection fails before the sign-in; null if it does not. */
const causeOfConnection = (
  found: ServerInMemory,
  { tls, certificateSha256: pin }: MailServer,
  mayBePlain: boolean,
): ConnectionCause | null => {
  if (tls === "implicit" && found.security !== "implicit") return "tls_failed";
  // With the wrong TLS mode, each side waits for the other to begin.
  if (tls !== "implicit" && found.security === "implicit") return "timeout";
  if (found.security === "none") return mayBePlain && pin === undefined ? null : "starttls_missing";
  const isTrusted = pin === undefined ? found.untrustedCertificate === null : pin === found.untrustedCertificate;
  return isTrusted ? null : "certificate_untrusted";
};

/** Tests the mail servers in memory, at addresses that the guard returns. */
export const layer: Layer.Layer<ServerProbe, never, EgressGuard | ServersInMemory> = Layer.effect(
  ServerProbe,
  Effect.gen(function* () {
    const guard = yield* EgressGuard;
    const servers = yield* ServersInMemory;

    const connect = Effect.fnUntraced(function* (protocol: "imap" | "smtp", server: MailServer) {
      const addresses = yield* guard.resolve(server.host, server.port);
      const found = addresses.flatMap(({ address }) => servers.get(`${address}:${server.port}`) ?? [])[0];
      if (found === undefined) return yield* Effect.fail<ConnectionCause>("refused");
      if (found.protocol !== protocol) return yield* Effect.fail<ConnectionCause>("not_a_mail_server");
      const mayBePlain = addresses.every(({ allowed }) => allowed);
      const cause = causeOfConnection(found, server, mayBePlain);
      return cause === null ? found : yield* Effect.fail<ConnectionCause>(cause);
    });

    const probe =
      (protocol: "imap" | "smtp") =>
      (server: MailServer, credential: MailCredential): Effect.Effect<ProbeResult> =>
        connect(protocol, server).pipe(
          Effect.map(({ capabilities, signIn }): ProbeResult => {
            const present = signIn({ ...credential, username: server.username ?? credential.username });
            if (present === "unclear") return { _tag: "Failed", cause: "auth_refused", isUnclear: true };
            return typeof present === "string"
              ? { _tag: "Failed", cause: present }
              : { _tag: "Accepted", capabilities, present: protocol === "imap" ? present : null };
          }),
          Effect.catch((failure) => Effect.succeed<ProbeResult>({ _tag: "Failed", cause: causeOf(failure) })),
        );

    return ServerProbe.of({ imap: probe("imap"), smtp: probe("smtp") });
  }),
);

type Failure = ConnectionCause | Effect.Error<ReturnType<EgressGuard["Service"]["resolve"]>>;

const causeOf = (failure: Failure): ConnectionCause => {
  if (typeof failure === "string") return failure;
  if (failure._tag === "AddressDenied") return "address_denied";
  return failure.reason === "dns_timeout" ? "timeout" : "not_found";
};
