import { describe, expect, test } from "vitest";
import { appOf, EMPTY, isWholeDraft, missingOf, withMode, withProvider } from "../src/accounts/oauth/app-draft.ts";

describe("an OAuth2 app as it is typed", () => {
  const google = { ...EMPTY, clientId: " 1234 ", clientSecret: "s" };

  test("is sent with the fields that its provider and mode take", () => {
    expect(appOf(google)).toEqual({
      id: "google",
      provider: "google",
      mode: "delegated",
      clientId: "1234",
      clientSecret: "s",
    });
    const microsoft = { ...withProvider(google, "microsoft"), cloud: "https://login.microsoftonline.us", issuer: "x" };
    expect(
      appOf({ ...microsoft, tenant: "contoso.example", scopes: "a  b\nc", domains: "one.example\ntwo.example" }),
    ).toEqual({
      id: "microsoft",
      provider: "microsoft",
      mode: "delegated",
      clientId: "1234",
      clientSecret: "s",
      tenant: "contoso.example",
      issuer: "https://login.microsoftonline.us",
      scopes: ["a", "b", "c"],
      domains: ["one.example", "two.example"],
    });
    const hook = withMode({ ...google, tokenUrl: "https://tokens.example" }, "hook");
    expect(appOf(hook)).toEqual({ id: "google", provider: "google", mode: "hook", tokenUrl: "https://tokens.example" });
  });

  test("names the missing fields, and keeps a chosen id", () => {
    expect(Object.keys(missingOf(withProvider(EMPTY, "oidc")))).toEqual(["id", "issuer", "clientId", "clientSecret"]);
    expect(Object.keys(missingOf({ ...EMPTY, authentication: "private_key" }))).toEqual(["clientId", "privateKey"]);
    const application = withMode({ ...EMPTY, authentication: "none" }, "application");
    expect(missingOf(application)).toHaveProperty("clientSecret");
    expect(missingOf(application)).toHaveProperty("domains");
    expect(missingOf({ ...application, domains: "one.example" })).not.toHaveProperty("domains");
    expect(isWholeDraft(google)).toBe(true);
    expect(isWholeDraft({ ...google, hasServers: true })).toBe(false);
    expect(withProvider({ ...google, id: "mine" }, "microsoft").id).toBe("mine");
  });
});
