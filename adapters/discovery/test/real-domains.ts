import type { DiscoverySources, NamedServer, NamedServers } from "@postern/core/accounts";
import {
  type DnsAnswer,
  dnsServer,
  type HostAnswer,
  httpsSite,
  type MailDomain,
  scriptedGuard,
} from "@postern/testkit";
import { Effect, Layer } from "effect";
import { layer } from "../src/index.ts";
import { documentOf } from "./published-document.ts";

const DOMAINS = Array.from({ length: 20 }, (_, n) => `domain${n}.test`);
const ISPDB = "ispdb.test";

/** Domains on a name server and an https server on the loopback, with sources that use both. */
export const realDomains = Effect.gen(function* () {
  const dns = yield* dnsServer;
  const site = yield* httpsSite(ISPDB, "elsewhere.test", ...DOMAINS.flatMap((name) => [name, `autoconfig.${name}`]));
  /** The addresses that the guard finds; the sources ask the name server only for SRV and MX. */
  const addresses = new Map<string, HostAnswer | (() => HostAnswer)>([[ISPDB, ["127.0.0.1"]]]);
  const documents = new Map<string, string>();
  site.answer((request, response) => {
    const text = documents.get(`${request.headers.host?.replace(/:\d+$/, "")}${request.url?.replace(/\?.*/, "")}`);
    if (text === "silent") return;
    if (text === undefined) response.writeHead(404).end();
    else response.writeHead(200, { "content-type": "text/xml" }).end(text);
  });

  const sources: Layer.Layer<DiscoverySources> = layer({
    nameServers: [dns.address],
    httpsPort: site.port,
    ispdbUrl: `https://${ISPDB}:${site.port}/v1.1/`,
    tlsOptions: { ca: site.ca },
  }).pipe(Layer.provide(scriptedGuard(addresses)));

  const unused = DOMAINS.values();
  const newDomain = Effect.sync(() => unused.next().value ?? "no more certificates");

  const publishSrv = (domain: string, { imap, smtp }: NamedServers) => {
    const put = (service: string, servers: ReadonlyArray<NamedServer>, tls: NamedServer["tls"]) => {
      const srv = servers.filter((server) => server.tls === tls);
      const records = srv.map(({ host, port }, n) => ({ target: host, port, priority: n, weight: 0 }));
      // A name server may answer in any order.
      if (records.length > 0) dns.names.set(`_${service}._tcp.${domain}`, { srv: records.toReversed() });
    };
    put("imaps", imap, "implicit");
    put("imap", imap, "starttls");
    put("submissions", smtp, "implicit");
    put("submission", smtp, "starttls");
  };

  const publish = Effect.fnUntraced(function* ({ autoconfig, srv, ispdb, mx }: MailDomain) {
    const domain = yield* newDomain;
    if (autoconfig !== undefined) {
      addresses.set(`autoconfig.${domain}`, ["127.0.0.1"]);
      documents.set(`autoconfig.${domain}/mail/config-v1.1.xml`, documentOf(autoconfig));
    }
    if (srv !== undefined) publishSrv(domain, srv);
    if (ispdb !== undefined) documents.set(`${ISPDB}/v1.1/${domain}`, documentOf(ispdb));
    const hosts = mx?.map((exchange, n) => ({ exchange, preference: n }));
    if (hosts !== undefined) dns.names.set(domain, { mx: hosts.toReversed() });
    return domain;
  });

  const broken = Effect.gen(function* () {
    const domain = yield* newDomain;
    addresses.set(`autoconfig.${domain}`, ["127.0.0.1"]).set(domain, "servfail");
    documents.set(`autoconfig.${domain}/mail/config-v1.1.xml`, "silent").set(`${ISPDB}/v1.1/${domain}`, "<html>");
    const failures: ReadonlyArray<readonly [string, DnsAnswer]> = [
      [domain, "servfail"],
      [`_imaps._tcp.${domain}`, "dns_timeout"],
      [`_submission._tcp.${domain}`, "servfail"],
    ];
    for (const [name, failure] of failures) dns.names.set(name, failure);
    return domain;
  });

  return { dns, site, addresses, sources, newDomain, publish, broken };
});
