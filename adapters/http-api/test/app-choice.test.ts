import type { ServerCandidate } from "@postern/core/accounts";
import { appOf, type OAuthAppInput } from "@postern/core/oauth";
import { AccountId } from "@postern/core/shared";
import { expect, test } from "vitest";
import { appChoice } from "../src/connect/app-choice.ts";

const ANN = AccountId("ann@corp.example");
const OAUTH = { kind: "oauth2", provider: "microsoft" } as const;
const APP_PASSWORD = { kind: "app_password", helpPage: "https://help.example" } as const;

const app = (input: Partial<OAuthAppInput> & Pick<OAuthAppInput, "id">) => {
  const read = appOf({ provider: "oidc", issuer: "https://id.example", clientId: "c", ...input });
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  return read.app;
};
const microsoft = app({ id: "m", provider: "microsoft" });
const elsewhere = app({ id: "e", domains: ["elsewhere.example"] });

const found = (signIn: ServerCandidate["signIn"], source: ServerCandidate["source"] = "mx"): ServerCandidate => {
  const server = { host: "mail.example", port: 993, tls: "implicit", origin: "account" } as const;
  return { source, reason: "", provider: undefined, imap: server, smtp: server, signIn };
};

const choose = (apps: ReadonlyArray<ReturnType<typeof app>>, candidate: ServerCandidate) => {
  const { only, others, takesPassword, helpPage } = appChoice(apps, ANN, candidate);
  return [only?.id ?? null, others.map(({ id }) => id), takesPassword, helpPage];
};

test("an address is connected by the app of its domain, otherwise by that of its provider, otherwise with a password [S11.3-5]", () => {
  const own = app({ id: "own", domains: ["corp.example"] });
  expect(choose([microsoft, own], found([OAUTH]))).toEqual(["own", [], false, null]);
  expect(choose([elsewhere, microsoft], found([OAUTH]))).toEqual(["m", [], false, null]);
  expect(choose([elsewhere], found([APP_PASSWORD, OAUTH]))).toEqual([null, [], true, "https://help.example"]);
  expect(choose([app({ id: "open" })], found([{ kind: "password" }], "operator"))).toEqual([
    null,
    ["open"],
    true,
    null,
  ]);
});

test("asks for no password if the provider accepts only consents and has no app [S11.3-5]", () => {
  expect(choose([elsewhere], found([OAUTH]))).toEqual([null, [], false, null]);
  // A source that does not name the kinds of sign-in does not rule out passwords.
  expect(choose([], found([]))).toEqual([null, [], true, null]);
});
