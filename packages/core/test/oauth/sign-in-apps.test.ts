import { describe, expect, it } from "vitest";
import { appOf, labelOf, type OAuthApp, type OAuthAppInput } from "../../src/oauth/index.ts";
import { signInApps } from "../../src/oauth/sign-in-apps.ts";
import { AccountId } from "../../src/shared/index.ts";

const app = (input: Partial<OAuthAppInput> & Pick<OAuthAppInput, "id">): OAuthApp => {
  const read = appOf({ provider: "oidc", issuer: "https://id.example", clientId: "c", ...input });
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  return read.app;
};

const google = app({ id: "g", provider: "google" });
const microsoft = app({ id: "m", provider: "microsoft" });
const corp = app({ id: "corp", label: " Example Corp ", domains: ["corp.example"] });
const keycloak = app({ id: "keycloak" });
const workspace = app({ id: "w", provider: "google", mode: "application", privateKey: "k", domains: ["corp.example"] });

describe("an app by which users sign in", () => {
  it.each([
    [google, "Google"],
    [microsoft, "Microsoft"],
    [corp, "Example Corp"],
    [keycloak, "keycloak"],
  ])("is named by its label, its provider or its id [S11.1-6]", (one, label) => expect(labelOf(one)).toBe(label));

  it.each(["", "  ", "a\u0007", "x".repeat(64)])("has no label like %j", (label) => {
    expect(appOf({ id: "a", provider: "google", clientId: "c", label })).toMatchObject({
      faults: [{ field: "label" }],
    });
  });
});

describe("the apps for a sign-in", () => {
  const of = (address: string | null, apps = [google, microsoft, corp, keycloak, workspace]) =>
    signInApps(apps, address === null ? null : AccountId(address)).map(({ id }) => id);

  it("are all that ask each user for consent", () => expect(of(null)).toEqual(["g", "m", "corp", "keycloak"]));

  it.each([
    ["ann@corp.example", ["corp"]],
    ["ann@gmail.com", ["g"]],
    ["ann@outlook.com", ["m"]],
    ["ann@gmx.net", []],
    ["ann@elsewhere.example", ["g", "m", "keycloak"]],
  ])("for %s are the apps that its domain admits [S11.1-11] [S11.3-21]", (address, ids) =>
    expect(of(address)).toEqual(ids),
  );

  it("for its own domain come before the provider of the domain", () => {
    expect(of("ann@gmail.com", [google, app({ id: "own", domains: ["gmail.com"] })])).toEqual(["own"]);
  });
});
