import { Resolver } from "node:dns/promises";
import { DiscoverySources, type NamedServer, type NamedServers, NO_SERVERS } from "@postern/core/accounts";
import { EgressGuard } from "@postern/core/shared";
import { Duration, Effect, Layer, Option } from "effect";
import type { DiscoveryOptions } from "../DiscoveryOptions.ts";
import { hostsOfMx, serversOfSrv } from "../dns-records.ts";
import { fetchDocument } from "../fetch-document.ts";

/** The timeout of one document or DNS lookup; shorter than that of `Discovery`, so that a silent host does not hide other answers. */
const ANSWER_LIMIT = Duration.millis(1_500);

/** The mailbox that every domain has (RFC 5321, 4.5.1); requests name it instead of the user's address. */
const PROBE = "postmaster";

/** Loads the parser with the first document. */
const readDocument = (text: string): Effect.Effect<NamedServers> =>
  Effect.map(
    Effect.promise(() => import("../autoconfig-document.ts")),
    ({ serversOfDocument }) => serversOfDocument(text),
  );

/** Asks the sources over DNS and https. The guard checks the hosts of documents before each connection. */
export const layer = ({
  nameServers = [],
  ispdbUrl,
  httpsPort = 443,
  tlsOptions = {},
}: DiscoveryOptions = {}): Layer.Layer<DiscoverySources, never, EgressGuard> =>
  Layer.effect(
    DiscoverySources,
    Effect.gen(function* () {
      const guard = yield* EgressGuard;
      const resolver = new Resolver({ timeout: 700, tries: 2 });
      if (nameServers.length > 0) resolver.setServers(nameServers);

      const records = <A>(query: () => Promise<Array<A>>): Effect.Effect<ReadonlyArray<A>> =>
        Effect.tryPromise(query).pipe(
          Effect.timeout(ANSWER_LIMIT),
          Effect.orElseSucceed(() => []),
        );

      const document = (url: string, site: string): Effect.Effect<NamedServers> =>
        fetchDocument(guard, new URL(url), site, tlsOptions).pipe(
          Effect.timeoutOption(ANSWER_LIMIT),
          Effect.map(Option.flatten),
          Effect.flatMap(Option.match({ onNone: () => Effect.succeed(NO_SERVERS), onSome: readDocument })),
        );

      const autoconfig = Effect.fn("DiscoverySources.autoconfig")(function* (domain: string) {
        const path = "mail/config-v1.1.xml";
        const answers = yield* Effect.all(
          [
            document(`https://autoconfig.${domain}:${httpsPort}/${path}?emailaddress=${PROBE}%40${domain}`, domain),
            document(`https://${domain}:${httpsPort}/.well-known/autoconfig/${path}`, domain),
          ],
          { concurrency: "unbounded" },
        );
        const found = answers.find(({ imap, smtp }) => imap.length > 0 && smtp.length > 0);
        return found === undefined ? NO_SERVERS : forEveryUser(found, domain);
      });

      const srv = Effect.fn("DiscoverySources.srv")(function* (domain: string) {
        const service = (name: string, tls: NamedServer["tls"]) =>
          Effect.map(
            records(() => resolver.resolveSrv(`_${name}._tcp.${domain}`)),
            (found) => serversOfSrv(found, tls),
          );
        // TLS from the start is preferred (RFC 8314, 3).
        const [imaps, imap, submissions, submission] = yield* Effect.all(
          [
            service("imaps", "implicit"),
            service("imap", "starttls"),
            service("submissions", "implicit"),
            service("submission", "starttls"),
          ],
          { concurrency: "unbounded" },
        );
        return { imap: [...imaps, ...imap], smtp: [...submissions, ...submission], signIn: [] };
      });

      const ispdb = Effect.fn("DiscoverySources.ispdb")((domain: string) =>
        ispdbUrl === undefined
          ? Effect.succeed(NO_SERVERS)
          : document(`${ispdbUrl.replace(/\/$/, "")}/${domain}`, new URL(ispdbUrl).hostname),
      );

      const mx = Effect.fn("DiscoverySources.mx")((domain: string) =>
        Effect.map(
          records(() => resolver.resolveMx(domain)),
          hostsOfMx,
        ),
      );

      return DiscoverySources.of({ autoconfig, srv, ispdb, mx });
    }),
  );

/** Replaces the probe's address by placeholders, because some servers write the requested address into the document. */
const forEveryUser = (servers: NamedServers, domain: string): NamedServers => {
  const general = (server: NamedServer): NamedServer => {
    if (server.username === `${PROBE}@${domain}`) return { ...server, username: "%EMAILADDRESS%" };
    return server.username === PROBE ? { ...server, username: "%EMAILLOCALPART%" } : server;
  };
  return { ...servers, imap: servers.imap.map(general), smtp: servers.smtp.map(general) };
};
