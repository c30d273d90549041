import { assert, layer } from "@effect/vitest";
import { DiscoverySources, type NamedServers, NO_SERVERS } from "@postern/core/accounts";
import { Effect, type Layer } from "effect";
import { MailDomains } from "../../controls/MailDomains.ts";

const DOCUMENT: NamedServers = {
  imap: [
    { host: "imap.%EMAILDOMAIN%", port: 993, tls: "implicit", username: "%EMAILADDRESS%" },
    { host: "mail.hoster.example", port: 143, tls: "starttls", username: "%EMAILLOCALPART%" },
  ],
  smtp: [{ host: "smtp.hoster.example", port: 587, tls: "starttls", username: "%EMAILADDRESS%" }],
  signIn: [{ kind: "oauth2", provider: "microsoft" }, { kind: "password" }],
};

const RECORDS: NamedServers = {
  imap: [
    { host: "imap2.hoster.example", port: 993, tls: "implicit" },
    { host: "imap1.hoster.example", port: 10_993, tls: "implicit" },
    { host: "imap3.hoster.example", port: 143, tls: "starttls" },
  ],
  smtp: [
    { host: "smtp2.hoster.example", port: 465, tls: "implicit" },
    { host: "smtp1.hoster.example", port: 587, tls: "starttls" },
  ],
  signIn: [],
};

const HOSTS = ["mx9.hoster.example", "mx1.hoster.example", "backup.example"];

const answersOf = Effect.fnUntraced(function* (domain: string) {
  const { autoconfig, srv, ispdb, mx } = yield* DiscoverySources;
  return yield* Effect.all({ autoconfig: autoconfig(domain), srv: srv(domain), ispdb: ispdb(domain), mx: mx(domain) });
});

const NOTHING = { autoconfig: NO_SERVERS, srv: NO_SERVERS, ispdb: NO_SERVERS, mx: [] };

/** The contract of `DiscoverySources` (spec 10.4). */
export const discoverySourcesContract = <E>(
  name: string,
  ports: Layer.Layer<DiscoverySources | MailDomains, E>,
): void =>
  layer(ports, { excludeTestServices: true })(name, (it) => {
    it.effect("each returns what a domain publishes there, in the domain's order", () =>
      Effect.gen(function* () {
        const domains = yield* MailDomains;
        for (const published of [{ autoconfig: DOCUMENT }, { srv: RECORDS }, { ispdb: DOCUMENT }, { mx: HOSTS }]) {
          const domain = yield* domains.publish(published);
          assert.deepStrictEqual(yield* answersOf(domain), { ...NOTHING, ...published });
        }
        const all = { autoconfig: DOCUMENT, srv: RECORDS, ispdb: DOCUMENT, mx: HOSTS };
        assert.deepStrictEqual(yield* answersOf(yield* domains.publish(all)), all);
      }),
    );

    it.effect("name no server for a domain that publishes nothing, does not exist or is broken", () =>
      Effect.gen(function* () {
        const domains = yield* MailDomains;
        for (const domain of [yield* domains.publish({}), "missing.invalid", yield* domains.broken]) {
          assert.deepStrictEqual(yield* answersOf(domain), NOTHING, domain);
        }
      }),
    );
  });
