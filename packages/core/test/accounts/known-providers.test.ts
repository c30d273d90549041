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

  // Id; an address domain of each group of its domains; an MX host under each of its MX domains; kinds of sign-in.
  it.each([
    ["gmail", "gmail.com googlemail.com", "", "oauth2:google app_password"],
    ["google_workspace", "", "alt1.aspmx.l.google.com aspmx2.googlemail.com", "oauth2:google app_password"],
    [
      "outlook",
      "outlook.com outlook.com.ar hotmail.de hotmail.co.jp live.com live.com.sg msn.com",
      "",
      "oauth2:microsoft",
    ],
    ["outlook", "", "outlook-com.olc.protection.outlook.com", "oauth2:microsoft"],
    ["microsoft_365", "", "a-com.mail.protection.outlook.com a-com.o-v1.mx.microsoft", "oauth2:microsoft"],
    ["icloud", "icloud.com me.com mac.com", "", "app_password"],
    ["yahoo", "yahoo.com yahoo.com.mx ymail.com rocketmail.com", "", "app_password oauth2:yahoo"],
    ["aol", "aol.com aol.co.uk aim.com cs.com", "", "app_password oauth2:aol"],
    [
      "fastmail",
      "fastmail.fm 123mail.org imap.cc mailbolt.com sent.com",
      "in1-smtp.messagingengine.com",
      "app_password",
    ],
    ["zoho", "zoho.com zohomail.com", "", "password app_password"],
    ["zoho_eu", "zohomail.eu", "", "password app_password"],
    ["zoho_workplace_com", "", "mx.zoho.com", "password app_password"],
    ["zoho_workplace_eu", "", "mx2.zoho.eu", "password app_password"],
    ["zoho_workplace_in", "", "mx.zoho.in", "password app_password"],
    ["mail_com", "mail.com dr.com engineer.com myself.com", "", "password"],
    ["gmx", "gmx.net gmx.at", "", "password"],
    ["gmx_international", "gmx.com gmx.co.uk", "", "password"],
    ["web_de", "web.de", "", "password"],
    ["t_online", "t-online.de magenta.de", "", "app_password"],
    ["freenet", "freenet.de", "", "password"],
    ["mailbox_org", "mailbox.org", "", "password app_password"],
    ["posteo", "posteo.de posteo.co.uk", "", "password"],
    ["orange_fr", "orange.fr wanadoo.fr", "", "password"],
    ["free_fr", "free.fr", "", "password"],
    ["comcast", "comcast.net", "", "password"],
    ["att", "att.net prodigy.net", "", "app_password"],
    ["yandex", "yandex.ru ya.ru narod.ru", "mx.yandex.net mx.yandex.ru", "app_password oauth2:yandex"],
    ["mail_ru", "mail.ru inbox.ru", "emx.mail.ru", "app_password"],
    ["qq", "qq.com foxmail.com", "", "app_password"],
    ["netease", "163.com 126.com yeah.net", "", "app_password"],
    ["naver", "naver.com", "", "password"],
    ["ionos_de", "", "mx00.ionos.de mx00.kundenserver.de", "password"],
    ["ionos_com", "", "mx00.ionos.com", "password"],
    ["ionos_co_uk", "", "mx00.ionos.co.uk", "password"],
    ["ionos_fr", "", "mx00.ionos.fr", "password"],
    ["ionos_es", "", "mx00.ionos.es", "password"],
    ["gandi", "", "spool.mail.gandi.net", "password"],
    ["infomaniak", "ik.me", "mta-gw.infomaniak.ch", "password"],
    ["migadu", "", "aspmx1.migadu.com", "password"],
    ["namecheap", "", "mx1.privateemail.com", "password"],
    ["hostinger", "", "mx1.hostinger.com", "password"],
    ["one_com", "", "mx1.pub.mailpod5-cph3.one.com", "password"],
    ["purelymail", "purelymail.com", "mailserver.purelymail.com", "password"],
    ["rackspace", "", "mx1.emailsrvr.com", "password"],
    ["strato", "", "smtpin.rzone.de", "password"],
  ])("%s gives out %s, runs %s, and takes %s", (id, domains, mxHosts, signIn) => {
    const found = [...domains.split(" ").map(providerOfDomain), ...mxHosts.split(" ").map(providerOfMx)].filter(
      (provider) => provider !== undefined,
    );
    assert.lengthOf(found, `${domains} ${mxHosts}`.trim().split(" ").length);
    for (const provider of found) {
      assert.strictEqual(provider.id, id);
      const kinds = provider.signIn.map((one) => (one.kind === "oauth2" ? `oauth2:${one.provider}` : one.kind));
      assert.strictEqual(kinds.join(" "), signIn);
    }
  });

  it.each(["evil-google.com", "google.com.evil.example", "com"])("the MX host %s belongs to no provider", (host) => {
    assert.isUndefined(providerOfMx(host));
  });

  it("are found by their IMAP server as the provider of customers' domains", () => {
    assert.strictEqual(providerOfImapHost("imap.gmail.com")?.id, "google_workspace");
    assert.strictEqual(providerOfImapHost("outlook.office365.com")?.id, "microsoft_365");
    assert.strictEqual(providerOfImapHost("imap.fastmail.com")?.id, "fastmail");
    assert.isUndefined(providerOfImapHost("imap.customer.example"));
  });
});
