import type { DiscoverySources, NamedServer, ServerProbe } from "@postern/core/accounts";
import { type MailCredential, secretOf } from "@postern/core/auth";
import { Effect, Layer, Redacted } from "effect";
import { MailWorld } from "../mail/MailWorld.ts";
import { layer as egressGuard } from "../shared/EgressGuard.ts";
import { HostsInMemory } from "../shared/HostsInMemory.ts";
import { layer as discoverySources } from "./DiscoverySources.ts";
import { DomainsInMemory } from "./DomainsInMemory.ts";
import type { MailProviderInMemory } from "./MailProviderInMemory.ts";
import { layer as serverProbe } from "./ServerProbe.ts";
import { ServersInMemory } from "./ServersInMemory.ts";

const CAPABILITIES = {
  imap: ["CONDSTORE", "ENABLE", "IDLE", "IMAP4REV1", "MOVE", "QRESYNC", "SPECIAL-USE", "UIDPLUS"],
  smtp: ["8BITMIME", "AUTH PLAIN", "PIPELINING", "SIZE"],
};
/** The ports of mail servers (spec 10.4). */
const PORTS = [143, 465, 587, 993];

/** Discovery and probes over a world in which only these providers exist. */
export const mailProvidersInMemory = (
  providers: ReadonlyArray<MailProviderInMemory>,
): Layer.Layer<DiscoverySources | ServerProbe, never, MailWorld> =>
  Layer.merge(discoverySources, Layer.provide(serverProbe, egressGuard(PORTS))).pipe(
    Layer.provide(Layer.effectDiscard(Effect.forEach(providers, addProvider))),
    Layer.provide([HostsInMemory.layer, ServersInMemory.layer, DomainsInMemory.layer]),
  );

/** The result of a probe of a server with this conduct. */
const CAUSES = { unclear: "unclear", away: "refused", flood: "server_flood" } as const;

/** Gives a provider its hosts, servers and records. */
const addProvider = Effect.fnUntraced(function* (provider: MailProviderInMemory) {
  const { names, publicAddresses } = yield* HostsInMemory;
  const servers = yield* ServersInMemory;
  const { published } = yield* DomainsInMemory;
  const world = yield* MailWorld;

  const signInAt = (host: string) => (credential: MailCredential) => {
    const domains = [provider.domain, ...(provider.alsoServes ?? [])];
    const isTheirs = domains.some((domain) => credential.username.toLowerCase().endsWith(`@${domain}`));
    const mail = world.at(host);
    const conduct = mail.conductTo(credential.username);
    if (conduct !== undefined) return CAUSES[conduct];
    const account = isTheirs ? mail.signIn(credential) : undefined;
    if (account !== undefined) return account.mailbox("INBOX").cursor;
    const isOwners = isTheirs && Redacted.value(secretOf(credential)) === provider.ownersPassword;
    return isOwners ? ("app_password_required" as const) : ("auth_refused" as const);
  };
  const add = (protocol: "imap" | "smtp", { host, port, tls }: NamedServer) => {
    const address = `192.0.2.${publicAddresses.size + 1}`;
    names.set(host, [address]);
    publicAddresses.add(address);
    servers.set(`${address}:${port}`, {
      protocol,
      security: tls,
      untrustedCertificate: null,
      capabilities: CAPABILITIES[protocol],
      signIn: signInAt(host),
    });
  };

  const { domain, imap, smtp } = provider;
  add("imap", imap);
  add("smtp", smtp);
  // Of several providers of a domain, its documents name the first.
  if (!published.has(domain))
    published.set(domain, { autoconfig: { imap: [imap], smtp: [smtp], signIn: provider.signIn } });
});
