import { describe, expect, it } from "vitest";
import { oauthApps } from "../src/settings/oauth-apps.ts";

const APP = {
  id: "corp",
  provider: "oidc",
  issuer: "https://id.example",
  clientId: "c",
  clientSecret: "hidden-secret",
};
const server = { host: "mail.example", port: 993, security: "tls" };

const read = (...apps: ReadonlyArray<object>) => oauthApps({ OAUTH_APPS: JSON.stringify(apps) });

describe("OAUTH_APPS", () => {
  it("is an array of apps, none by default [S11.1-1]", () => {
    expect(oauthApps({})).toEqual([]);
    const [app] = read({ ...APP, domains: ["CORP.example"] });
    expect(app).toMatchObject({ id: "corp", mode: "delegated", domains: ["corp.example"] });
  });

  it.each<[string, object, RegExp]>([
    ["an id with other characters", { ...APP, id: "a b" }, /id must be 1 to 63/],
    ["an issuer that is no address", { ...APP, issuer: "id.example" }, /issuer must be an https address/],
    // [S11.1-10] [S11.1-12]
    ["oidc without an issuer", { ...APP, issuer: undefined }, /issuer is missing/],
    ["a tenant of another provider than microsoft", { ...APP, tenant: "t" }, /tenant is for microsoft only/],
    ["a tenant with other characters", { ...APP, provider: "microsoft", tenant: "a/b" }, /tenant must be a domain/],
    ["no clientId", { ...APP, clientId: undefined }, /clientId is missing/],
    ["two secrets", { ...APP, privateKey: "hidden-key" }, /privateKey cannot be given beside clientSecret/],
    [
      "application mode without a secret",
      { ...APP, clientSecret: undefined, mode: "application" },
      /clientSecret or privateKey/,
    ],
    ["application mode without domains", { ...APP, mode: "application" }, /domains are missing/],
    ["hook mode without domains", { ...APP, mode: "hook", tokenUrl: "https://t.example" }, /domains are missing/],
    ["hook mode without a tokenUrl", { ...APP, mode: "hook" }, /tokenUrl is missing/],
    ["a tokenUrl in another mode", { ...APP, tokenUrl: "https://t.example" }, /tokenUrl is for mode hook only/],
    ["a tokenUrl that is no address", { ...APP, mode: "hook", tokenUrl: "t" }, /tokenUrl must be an https address/],
    ["imap without smtp", { ...APP, imap: server }, /imap and smtp are given together/],
    ["a domain that is none", { ...APP, domains: ["a b"] }, /domains must be domains/],
    ["an unknown field", { ...APP, clientSecrets: "hidden-secret" }, /app 1 with unknown or missing fields/],
    ["an unknown provider", { ...APP, provider: "yahoo" }, /app 1 with unknown or missing fields/],
  ])("refuses %s, and shows no secret", (_, app, expected) => {
    const error = refusalOf(JSON.stringify([app]));
    expect(error).toMatch(/OAUTH_APPS/);
    expect(error).toMatch(expected);
    expect(error).not.toMatch(/hidden/);
  });

  it.each([
    ["text that is no JSON", `[{"clientSecret":"hidden-secret"`, /is no JSON array/],
    ["an object", JSON.stringify(APP), /is no JSON array/],
    ["an id twice", JSON.stringify([APP, APP]), /two apps "corp"/],
  ])("refuses %s, and shows no secret", (_, text, expected) => {
    expect(refusalOf(text)).toMatch(expected);
    expect(refusalOf(text)).not.toMatch(/hidden/);
  });
});

const refusalOf = (text: string): string => {
  try {
    oauthApps({ OAUTH_APPS: text });
  } catch (error) {
    return String(error) + String((error as Error).stack) + JSON.stringify(error);
  }
  throw new Error("the setting is accepted");
};
