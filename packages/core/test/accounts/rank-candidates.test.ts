import { assert, describe, it } from "@effect/vitest";
import { Option } from "effect";
import * as fc from "fast-check";
import { CANDIDATE_SOURCES } from "../../src/accounts/discovery/ServerCandidate.ts";
import { KNOWN_PROVIDERS, type NamedServer, type NamedServers, NO_SERVERS } from "../../src/accounts/index.ts";
import { knownCandidate, rankCandidates, type SourceAnswers } from "../../src/accounts/discovery/rank-candidates.ts";
import { AccountId, hostNameOf } from "../../src/shared/index.ts";

const JANE = AccountId("jane@customer.example");
const NOTHING: SourceAnswers = { autoconfig: NO_SERVERS, srv: NO_SERVERS, ispdb: NO_SERVERS, mx: [] };

const server = (host: string, port = 993): NamedServer => ({ host, port, tls: "implicit" });
const pair = (name: string): NamedServers => ({
  imap: [server(`imap.${name}`)],
  smtp: [server(`smtp.${name}`, 465)],
  signIn: [],
});

const text = fc.oneof(
  fc.constantFrom("mail.customer.example", "imap.%EMAILDOMAIN%", "%EMAILLOCALPART%.example", "%REALNAME%.example"),
  fc.constantFrom(
    "127.0.0.1",
    "[::1]",
    "localhost",
    "2130706433",
    "0x7f.1",
    "mail.example.",
    "",
    "a b.example",
    "müller.example",
  ),
  fc.domain(),
  fc.string(),
);
const named: fc.Arbitrary<NamedServer> = fc.record(
  {
    host: text,
    port: fc.oneof(fc.constantFrom(143, 993, 465, 587), fc.integer(), fc.double()),
    tls: fc.constantFrom("implicit", "starttls"),
    username: fc.oneof(
      fc.constantFrom("%EMAILADDRESS%", "%EMAILLOCALPART%", "%REALNAME%", "%CONSTRUCTOR%"),
      fc.string(),
    ),
  },
  { requiredKeys: ["host", "port", "tls"] },
);
const servers: fc.Arbitrary<NamedServers> = fc.record({
  imap: fc.array(named, { maxLength: 3 }),
  smtp: fc.array(named, { maxLength: 3 }),
  signIn: fc.constantFrom([], [{ kind: "password" }], [{ kind: "oauth2", provider: null }]),
});
const mx = fc.array(fc.oneof(fc.domain(), fc.constantFrom(...KNOWN_PROVIDERS.flatMap((provider) => provider.mx))), {
  maxLength: 3,
});
const answers: fc.Arbitrary<SourceAnswers> = fc.record({ autoconfig: servers, srv: servers, ispdb: servers, mx });
const accounts = fc.constantFrom(
  JANE,
  AccountId("a%emaildomain%b@customer.example"),
  AccountId("x@xn--mller-kva.example"),
);

describe("ranking", () => {
  it("proposes at least one pair, each pair once, in the order of the sources", () => {
    fc.assert(
      fc.property(accounts, answers, (account, given) => {
        const ranked = rankCandidates(account, given);
        const ranks = ranked.map(({ source }) => CANDIDATE_SOURCES.indexOf(source));
        assert.deepStrictEqual(
          ranks,
          ranks.toSorted((one, other) => one - other),
        );
        assert.isAbove(ranked.length, 0);
        const pairs = ranked.map(({ imap, smtp }) => JSON.stringify([imap, smtp]));
        assert.strictEqual(new Set(pairs).size, pairs.length);
        assert.isTrue(ranked.every(({ source }) => (source === "guess") === (ranked[0].source === "guess")));
      }),
    );
  });

  it("proposes only host names of two labels or more, over TLS, as servers of an account", () => {
    fc.assert(
      fc.property(accounts, answers, (account, given) => {
        for (const { imap, smtp, signIn } of rankCandidates(account, given)) {
          assert.isAbove(signIn.length, 0);
          for (const { host, port, tls, origin, username } of [imap, smtp]) {
            assert.deepStrictEqual(hostNameOf(host), Option.some(host));
            assert.include(host, ".");
            assert.isTrue(Number.isInteger(port) && port > 0 && port < 65_536);
            assert.include(["implicit", "starttls"], tls);
            assert.strictEqual(origin, "account");
            assert.notStrictEqual(username, account);
            assert.notMatch(username ?? "", /%[A-Z]+%|\p{Cc}/u);
          }
        }
      }),
    );
  });

  it("is changed by no source that ranks below the first answer", () => {
    fc.assert(
      fc.property(answers, (given) => {
        const [best] = rankCandidates(JANE, { ...given, autoconfig: pair("one.example") });
        assert.strictEqual(best.source, "autoconfig");
        assert.strictEqual(best.imap.host, "imap.one.example");
      }),
    );
  });

  it("ranks autoconfig, SRV, the provider database and MX in this order [S10.4-15]", () => {
    const ranked = rankCandidates(JANE, {
      autoconfig: pair("one.example"),
      srv: pair("two.example"),
      ispdb: pair("three.example"),
      mx: ["mail.customer.example", "aspmx.l.google.com"],
    });
    assert.deepStrictEqual(
      ranked.map(({ source, imap, provider }) => [source, imap.host, provider?.id]),
      [
        ["autoconfig", "imap.one.example", undefined],
        ["srv", "imap.two.example", undefined],
        ["ispdb", "imap.three.example", undefined],
        ["mx", "imap.gmail.com", "google_workspace"],
      ],
    );
  });

  it("takes the kinds of sign-in from the known provider of the IMAP server, whatever the source says", () => {
    const [best] = rankCandidates(JANE, {
      ...NOTHING,
      srv: {
        imap: [server("imap.fastmail.com")],
        smtp: [server("smtp.fastmail.com", 465)],
        signIn: [{ kind: "password" }],
      },
    });
    assert.strictEqual(best.source, "srv");
    assert.strictEqual(best.provider?.id, "fastmail");
    assert.deepStrictEqual(
      best.signIn.map(({ kind }) => kind),
      ["app_password"],
    );
  });

  it("skips unusable servers and a source that names only one of the two", () => {
    const ranked = rankCandidates(JANE, {
      ...NOTHING,
      autoconfig: { ...pair("one.example"), smtp: [] },
      srv: { ...pair("two.example"), imap: [server("10.0.0.1"), server("mail.two.example")] },
    });
    assert.deepStrictEqual(
      ranked.map(({ source, imap }) => [source, imap.host]),
      [["srv", "mail.two.example"]],
    );
  });

  it("fills in placeholders", () => {
    const [best] = rankCandidates(AccountId("jane.roe@customer.example"), {
      ...NOTHING,
      autoconfig: {
        imap: [{ ...server("mail.%EMAILDOMAIN%"), username: "%EMAILLOCALPART%" }],
        smtp: [{ ...server("mail.%EMAILDOMAIN%", 465), username: "%EMAILADDRESS%" }],
        signIn: [],
      },
    });
    assert.deepInclude(best.imap, { host: "mail.customer.example", username: "jane.roe" });
    assert.notProperty(best.smtp, "username");
  });

  it("marks guesses, and makes them only when no source proposes a pair [S10.4-15]", () => {
    assert.deepStrictEqual(
      rankCandidates(JANE, NOTHING).map(({ source, imap, smtp }) => [source, imap.host, smtp.host, smtp.port]),
      [
        ["guess", "imap.customer.example", "smtp.customer.example", 465],
        ["guess", "imap.customer.example", "smtp.customer.example", 587],
        ["guess", "mail.customer.example", "mail.customer.example", 465],
        ["guess", "mail.customer.example", "mail.customer.example", 587],
      ],
    );
  });

  it("proposes two pairs of servers that differ in any way, and equal pairs once", () => {
    const one = pair("x.example");
    const numberOf = (imap: Partial<NamedServer>, smtp: Partial<NamedServer>) =>
      rankCandidates(JANE, {
        ...NOTHING,
        autoconfig: one,
        ispdb: { ...one, imap: [{ ...one.imap[0]!, ...imap }], smtp: [{ ...one.smtp[0]!, ...smtp }] },
      }).length;
    assert.strictEqual(numberOf({}, {}), 1);
    const differences = [{ host: "mail.x.example" }, { port: 143 }, { tls: "starttls" }, { username: "jane" }] as const;
    for (const other of differences) assert.deepStrictEqual([numberOf(other, {}), numberOf({}, other)], [2, 2]);
  });

  it("knows an address of a built-in provider without any source", () => {
    const known = Option.getOrThrow(knownCandidate(AccountId("jane@icloud.com")));
    assert.deepInclude(known, { source: "known_provider" });
    assert.deepInclude(known.imap, { host: "imap.mail.me.com", username: "jane" });
    assert.deepInclude(known.smtp, { host: "smtp.mail.me.com", port: 587, tls: "starttls" });
    assert.isTrue(Option.isNone(knownCandidate(JANE)));
  });
});
