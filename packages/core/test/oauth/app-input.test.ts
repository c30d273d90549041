import { Redacted } from "effect";
import { describe, expect, it } from "vitest";
import { appOf, type OAuthAppInput } from "../../src/oauth/index.ts";

const INPUT: OAuthAppInput = { id: "corp", provider: "google", clientId: "c" };
const SERVER = { host: "mail.example", port: 993, security: "tls" } as const;

const read = (over: Partial<OAuthAppInput>) => appOf({ ...INPUT, ...over });
const faults = (over: Partial<OAuthAppInput>) => {
  const it = read(over);
  return "faults" in it ? it.faults.map(({ field, message }) => `${field} ${message}`) : [];
};
const app = (over: Partial<OAuthAppInput>) => {
  const it = read(over);
  if ("faults" in it) throw new Error(JSON.stringify(it.faults));
  return it.app;
};

const WITHOUT_DOMAINS =
  "domains are missing: the app opens mailboxes without the consent of their users, so say of which domains";
const WITHOUT_SECRET = "clientSecret or privateKey is missing: the app opens mailboxes with its own credentials";
const HOOK = { mode: "hook", tokenUrl: "https://t.example/", domains: ["x.example"] } as const;
const APPLICATION = { mode: "application", clientSecret: "s", domains: ["x.example"] } as const;

describe("an app as an operator writes it", () => {
  it.each<Partial<OAuthAppInput>>([
    {},
    { id: "a" },
    { id: `A${"_-9".repeat(20)}bc` },
    { label: "Example Corp" },
    { label: ` ${"é".repeat(63)} ` },
    { provider: "oidc", issuer: "https://id.example" },
    { issuer: "http://id.example:8080/realm" },
    { provider: "microsoft", tenant: "x.example" },
    { provider: "microsoft", tenant: "t".repeat(253) },
    { clientSecret: "s" },
    { privateKey: "k" },
    { mode: "delegated" },
    { mode: "delegated", domains: ["x.example"] },
    APPLICATION,
    { ...APPLICATION, clientSecret: undefined, privateKey: "k" } as never,
    HOOK,
    { ...HOOK, provider: "oidc", clientId: "" },
    { imap: SERVER, smtp: SERVER },
    { domains: ["x.example", "MÜNCHEN.example"] },
  ])("is sound as %j", (over) => {
    expect(faults(over)).toEqual([]);
  });

  it.each<[Partial<OAuthAppInput>, string]>([
    [{ id: "" }, "id must be 1 to 63 letters, digits, - or _"],
    [{ id: "a".repeat(64) }, "id must be 1 to 63 letters, digits, - or _"],
    [{ id: "-a" }, "id must be 1 to 63 letters, digits, - or _"],
    [{ label: " " }, "label must be 1 to 63 characters"],
    [{ label: "e".repeat(64) }, "label must be 1 to 63 characters"],
    [{ label: "a\nb" }, "label must be 1 to 63 characters"],
    [{ issuer: "id.example" }, "issuer must be an https address"],
    [{ issuer: "https://" }, "issuer must be an https address"],
    [{ provider: "oidc" }, "issuer is missing: oidc has no provider built in"],
    [{ tenant: "x.example" }, "tenant is for microsoft only"],
    [{ provider: "microsoft", tenant: "" }, "tenant must be a domain or the id of a tenant"],
    [{ provider: "microsoft", tenant: "t".repeat(254) }, "tenant must be a domain or the id of a tenant"],
    [{ clientId: "" }, "clientId is missing"],
    [{ clientId: undefined } as never, "clientId is missing"],
    [{ clientSecret: "s", privateKey: "k" }, "privateKey cannot be given beside clientSecret"],
    [{ ...APPLICATION, clientSecret: undefined } as never, WITHOUT_SECRET],
    [{ ...APPLICATION, domains: [] }, WITHOUT_DOMAINS],
    [{ ...APPLICATION, domains: undefined } as never, WITHOUT_DOMAINS],
    [{ ...HOOK, domains: [] }, WITHOUT_DOMAINS],
    [{ ...HOOK, tokenUrl: undefined } as never, "tokenUrl is missing: mode hook asks it for tokens"],
    [{ ...HOOK, tokenUrl: "t.example" }, "tokenUrl must be an https address"],
    [{ tokenUrl: "https://t.example/" }, "tokenUrl is for mode hook only"],
    [{ imap: SERVER }, "imap and smtp are given together"],
    [{ smtp: SERVER }, "imap and smtp are given together"],
    [{ domains: ["x.example", "no domain"] }, "domains must be domains"],
  ])("is refused as %j, by the field at fault [S11.1-10] [S11.1-12]", (over, expected) => {
    expect(faults(over)).toEqual([expected]);
  });

  it("is refused with every field at fault", () => {
    const all = faults({ id: "", clientId: "", tenant: "", domains: [""] });
    expect(all.map((fault) => fault.split(" ")[0])).toEqual(["id", "tenant", "tenant", "clientId", "domains"]);
  });
});

describe("an app that is sound", () => {
  it("has defaults for missing fields: a public client whose users consent, of any domain", () => {
    expect(appOf({ id: "corp", provider: "google", clientId: "c" })).toEqual({
      app: {
        id: "corp",
        provider: "google",
        label: null,
        issuer: null,
        tenant: null,
        clientId: "c",
        secret: { _tag: "None" },
        mode: "delegated",
        tokenUrl: null,
        scopes: null,
        servers: null,
        domains: [],
      },
    });
  });

  it("has the given fields, its label trimmed, its domains in A-label form", () => {
    const { tokenUrl, mode, domains, label, issuer, clientId } = app({
      ...HOOK,
      clientId: undefined,
      label: " Corp ",
      issuer: "https://id.example",
      domains: ["MÜNCHEN.example"],
    } as never);
    expect([tokenUrl, mode, label, issuer, clientId]).toEqual([
      "https://t.example/",
      "hook",
      "Corp",
      "https://id.example",
      "",
    ]);
    expect(domains).toEqual(["xn--mnchen-3ya.example"]);
    expect(app({ provider: "microsoft", tenant: "t", scopes: ["a", "b"] })).toMatchObject({
      tenant: "t",
      scopes: ["a", "b"],
    });
  });

  it("keeps its secret or its private key", () => {
    expect(app({ clientSecret: "s" }).secret).toEqual({ _tag: "ClientSecret", value: Redacted.make("s") });
    expect(app({ privateKey: "k" }).secret).toEqual({ _tag: "PrivateKey", value: Redacted.make("k") });
  });

  it("names servers with TLS from the start or by STARTTLS, a user name, and a pinned certificate", () => {
    const smtp = { ...SERVER, port: 587, security: "starttls", username: "u", certificateSha256: "AB:CD" } as const;
    expect(app({ imap: SERVER, smtp }).servers).toEqual({
      imap: { host: "mail.example", port: 993, tls: "implicit", origin: "account" },
      smtp: {
        host: "mail.example",
        port: 587,
        tls: "starttls",
        origin: "account",
        username: "u",
        certificateSha256: "abcd",
      },
    });
  });
});
