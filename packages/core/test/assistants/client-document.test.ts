import { Option } from "effect";
import { describe, expect, it } from "vitest";
import { clientOfDocument, hostOfDocument, isDocumentUrl } from "../../src/assistants/client-document.ts";
import { isLoopbackUri, isRegistered } from "../../src/assistants/redirect-uris.ts";

const NOW = 1_900_000_000_000;
const URL_OF_CLIENT = "https://assistant.example/client.json";
const CALLBACK = "https://assistant.example/callback";
const DOCUMENT = { client_id: URL_OF_CLIENT, client_name: "Assistant", redirect_uris: [CALLBACK] };
const CLIENT = {
  id: URL_OF_CLIENT,
  name: "Assistant",
  redirectUris: [CALLBACK],
  source: "document",
  createdAt: NOW,
} as const;

const read = (over: Readonly<Record<string, unknown>>, url = URL_OF_CLIENT) =>
  clientOfDocument(url, JSON.stringify({ ...DOCUMENT, ...over }), NOW);

describe("the URL of a client's document", () => {
  it.each<[string, string | null]>([
    ["https://a.example/client", "a.example"],
    ["https://a.example:8443/x/y.json", "a.example:8443"],
    ["https://a.example/%7Ex", "a.example"],
    ["http://a.example/client", null],
    ["https://a.example", null],
    ["https://a.example/", null],
    ["https://a.example/x?y", null],
    ["https://a.example/x#y", null],
    ["https://user@a.example/x", null],
    ["https://a.example/x/../y", null],
    ["https://a.example/./y", null],
    ["https://a.example/x/%2E%2e", null],
    ["https://a.example/x/.%2E/y", null],
    ["https://a.example/x/...", "a.example"],
    ["https://a.example/.well-known/x", "a.example"],
    ["client_1", null],
  ])("%s has the host %s", (url, host) => {
    expect(hostOfDocument(url)).toBe(host);
    expect(isDocumentUrl(url)).toBe(host !== null);
  });

  it("has at most 512 characters", () => {
    const start = "https://a.example/";
    expect(isDocumentUrl(start + "x".repeat(512 - start.length))).toBe(true);
    expect(isDocumentUrl(start + "x".repeat(513 - start.length))).toBe(false);
  });
});

describe("the document of a client", () => {
  it("describes the client", () => {
    expect(read({})).toEqual(Option.some(CLIENT));
  });

  it("needs no name: the host stands for it", () => {
    expect(read({ client_name: undefined })).toEqual(Option.some({ ...CLIENT, name: "assistant.example" }));
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ["public", { token_endpoint_auth_method: "none" }],
    ["with a key pair", { token_endpoint_auth_method: "private_key_jwt" }],
    ["that takes codes", { grant_types: ["refresh_token", "authorization_code"], response_types: ["token", "code"] }],
  ])("may be of a client %s", (_, over) => {
    expect(read(over)).toEqual(Option.some(CLIENT));
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ["names another URL", { client_id: `${URL_OF_CLIENT}x` }],
    ["is of a client with a secret", { token_endpoint_auth_method: "client_secret_basic" }],
    ["posts its secret", { token_endpoint_auth_method: "client_secret_post" }],
    ["takes no codes", { grant_types: ["refresh_token"] }],
    ["takes another response", { response_types: ["token"] }],
    ["has no redirect URI", { redirect_uris: [] }],
    ["has only redirect URIs of an app", { redirect_uris: ["app:/callback"] }],
    ["has a name of several lines", { client_name: "a\nb" }],
    ["has an empty name", { client_name: "" }],
    ["has a name of 101 characters", { client_name: "n".repeat(101) }],
    ["has more than 20 redirect URIs", { redirect_uris: Array.from({ length: 21 }, (_, n) => `${CALLBACK}${n}`) }],
    ["lists more than 100 URIs", { redirect_uris: [CALLBACK, ...Array.from({ length: 100 }, () => "app:/x")] }],
  ])("describes no client if it %s", (_, over) => {
    expect(read(over)).toEqual(Option.none());
  });

  it("describes no client if it is no JSON", () => {
    expect(clientOfDocument(URL_OF_CLIENT, "<html>", NOW)).toEqual(Option.none());
  });

  it("may list up to 20 redirect URIs, and others beside them that are never redirected to", () => {
    const twenty = Array.from({ length: 20 }, (_, n) => `${CALLBACK}${n}`);
    expect(read({ redirect_uris: [...twenty, ...Array.from({ length: 80 }, () => "app:/x")] })).toEqual(
      Option.some({ ...CLIENT, redirectUris: twenty }),
    );
    expect(Option.isSome(read({ client_name: "n".repeat(100) }))).toBe(true);
  });

  it.each<[string, boolean]>([
    ["https://a.example", true],
    ["https://a.example:8443/x?y=z", true],
    ["https://a.example/#x", false],
    ["https://user@a.example/", false],
    ["https://a.example:99999/", false],
    ["http://a.example/", false],
    ["http://127.0.0.1/x", true],
    ["http://[::1]:1234", true],
    ["http://localhost:80/?x", true],
    ["http://localhost:99999/", false],
    ["http://127.0.0.2/", false],
    ["http://localhost.example/", false],
    [`https://a.example/${"x".repeat(2_048 - 18)}`, true],
    [`https://a.example/${"x".repeat(2_049 - 18)}`, false],
  ])("may redirect to %s: %s", (uri, isOne) => {
    expect(Option.isSome(read({ redirect_uris: [uri] }))).toBe(isOne);
  });
});

describe("a redirect URI", () => {
  it.each<[string, string, boolean]>([
    [CALLBACK, CALLBACK, true],
    [CALLBACK, `${CALLBACK}/`, false],
    ["https://a.example:1/x", "https://a.example:2/x", false],
    ["http://127.0.0.1/x", "http://127.0.0.1:1234/x", true],
    ["http://127.0.0.1:80/x", "http://127.0.0.1/x", true],
    ["http://[::1]:80", "http://[::1]:81", true],
    ["http://127.0.0.1/x", "http://127.0.0.1:1234/y", false],
    ["http://127.0.0.1/x", "http://localhost/x", false],
    [CALLBACK, "http://127.0.0.1:1234/x", false],
  ])("registered as %s allows %s: %s", (known, uri, isAllowed) => {
    expect(isRegistered(["https://other.example/", known], uri)).toBe(isAllowed);
  });

  it("leads to the person's machine if its host is a loopback address", () => {
    expect(["http://localhost:1/", "http://[::1]/x", CALLBACK, "http://a.example/"].map(isLoopbackUri)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it("is not registered with a client without any", () => {
    expect(isRegistered([], CALLBACK)).toBe(false);
  });
});
