import { assert, describe, it } from "@effect/vitest";
import { KNOWN_PROVIDERS } from "../../src/accounts/index.ts";
import { providerOfDomain, providerOfImapHost, providerOfMx } from "../../src/accounts/discovery/known-provider-of.ts";
import { serverFor } from "../../src/accounts/discovery/server-for.ts";
import { AccountId, hostNameOf } from "../../src/shared/index.ts";
import { Option } from "effect";

describe("the built-in providers", () => {
  it("are at least twenty, each with an id of its own [S10.4-14]", () => {
    assert.isAtLeast(KNOWN_PROVIDERS.length, 20);
    assert.strictEqual(new Set(KNOWN_PROVIDERS.map(({ id }) => id)).size, KNOWN_PROVIDERS.length);
  });

  it("claim no domain twice, and only domains in A-label form", () => {
    for (const kind of ["domains", "mx"] as const) {
      const domains = KNOWN_PROVIDERS.flatMap((provider) => provider[kind]);
      assert.strictEqual(new Set(domains).size, domains.length, kind);
      for (const domain of domains) assert.deepStrictEqual(hostNameOf(domain), Option.some(domain));
    }
  });

  it.each(KNOWN_PROVIDERS.map((provider) => [provider.id, provider] as const))(
    "%s has usable servers",
    (_, provider) => {
      const account = AccountId(`jane@${provider.domains[0] ?? "customer.example"}`);
      for (const [server, ports] of [
        [provider.imap, { implicit: 993, starttls: 143 }],
        [provider.smtp, { implicit: 465, starttls: 587 }],
      ] as const) {
        assert.isTrue(Option.isSome(serverFor(account, server)));
        assert.strictEqual(server.port, ports[server.tls]);
      }
      assert.isAbove(provider.domains.length + provider.mx.length, 0);
      for (const kind of provider.signIn) {
        if (kind.kind === "app_password") assert.match(kind.helpPage, /^https:\/\/[a-z0-9.]+\/\S*$/);
      }
    },
  );

  it("are found by the domain of an address, but not by a domain below it", () => {
    assert.strictEqual(providerOfDomain("gmail.com")?.id, "gmail");
    assert.strictEqual(providerOfDomain("hotmail.co.uk")?.id, "outlook");
    assert.isUndefined(providerOfDomain("mail.gmail.com"));
    assert.isUndefined(providerOfDomain("yahoo.co.jp"));
  });

  it.each([
    ["aspmx.l.google.com", "google_workspace"],
    ["alt4.aspmx.l.google.com", "google_workspace"],
    ["aspmx3.googlemail.com", "google_workspace"],
    ["smtp.google.com", "google_workspace"],
    ["example-com.mail.protection.outlook.com", "microsoft_365"],
    ["example-com.o-v1.mx.microsoft", "microsoft_365"],
    ["outlook-com.olc.protection.outlook.com", "outlook"],
    ["in1-smtp.messagingengine.com", "fastmail"],
    ["mx2.zoho.eu", "zoho_workplace_eu"],
    ["mx00.kundenserver.de", "ionos_de"],
    ["evil-google.com", undefined],
    ["google.com.evil.example", undefined],
    ["com", undefined],
  ])("the MX host %s belongs to %s", (host, id) => {
    assert.strictEqual(providerOfMx(host)?.id, id);
  });

  it("are found by their IMAP server as the provider of customers' domains", () => {
    assert.strictEqual(providerOfImapHost("imap.gmail.com")?.id, "google_workspace");
    assert.strictEqual(providerOfImapHost("outlook.office365.com")?.id, "microsoft_365");
    assert.strictEqual(providerOfImapHost("imap.fastmail.com")?.id, "fastmail");
    assert.isUndefined(providerOfImapHost("imap.customer.example"));
  });
});
