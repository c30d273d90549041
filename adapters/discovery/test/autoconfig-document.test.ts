import { assert, describe, it } from "@effect/vitest";
import { NO_SERVERS } from "@postern/core/accounts";
import * as fc from "fast-check";
import { serversOfDocument } from "../src/autoconfig-document.ts";

const IMAP = `<incomingServer type="imap">
  <hostname>imap.provider.example</hostname><port>993</port><socketType>SSL</socketType>
  <username>%EMAILADDRESS%</username><authentication>password-cleartext</authentication>
</incomingServer>`;
const SMTP = `<outgoingServer type="smtp">
  <hostname>smtp.provider.example</hostname><port>587</port><socketType>STARTTLS</socketType>
  <username>%EMAILLOCALPART%</username><authentication>plain</authentication>
</outgoingServer>`;
const documentWith = (servers: string, others = "", prolog = `<?xml version="1.0"?>`) =>
  `${prolog}<clientConfig version="1.1"><emailProvider id="x">${servers}</emailProvider>${others}</clientConfig>`;

const FOUND = {
  imap: [{ host: "imap.provider.example", port: 993, tls: "implicit", username: "%EMAILADDRESS%" }],
  smtp: [{ host: "smtp.provider.example", port: 587, tls: "starttls", username: "%EMAILLOCALPART%" }],
  signIn: [{ kind: "password" }],
} as const;

describe("an autoconfig document", () => {
  it("names its IMAP and SMTP servers over TLS, in its order", () => {
    const others = `<incomingServer type="pop3"><hostname>pop.provider.example</hostname><port>995</port><socketType>SSL</socketType></incomingServer>
      <incomingServer type="exchange"><hostname>ews.provider.example</hostname><port>443</port><socketType>SSL</socketType></incomingServer>
      <incomingServer type="imap"><hostname>plain.provider.example</hostname><port>143</port><socketType>plain</socketType></incomingServer>`;
    assert.deepStrictEqual(serversOfDocument(documentWith(others + IMAP + SMTP)), FOUND);
  });

  it("is read with a byte order mark, comments, bare ampersands and unknown elements", () => {
    const sloppy = `<displayName>A & B &nbsp;</displayName><!-- <incomingServer type="imap"> -->
      <documentation url="https://help.example/?a=b&c=d"><descr>One &amp; two</descr></documentation>`;
    const enable = `<enable visiturl="https://x.example/"><instruction>Allow IMAP &amP; POP</instruction></enable>`;
    assert.deepStrictEqual(serversOfDocument(`\uFEFF${documentWith(sloppy + IMAP + SMTP, enable)}`), FOUND);
  });

  it("names the kinds of sign-in of its first IMAP server, and the authorization server", () => {
    const both = IMAP.replace("<authentication>", "<authentication>OAuth2</authentication><authentication>");
    const issued = (issuer: string) =>
      serversOfDocument(documentWith(both + SMTP, `<oAuth2><issuer>${issuer}</issuer></oAuth2>`)).signIn;
    assert.deepStrictEqual(issued("accounts.google.com"), [
      { kind: "oauth2", provider: "google" },
      { kind: "password" },
    ]);
    assert.deepStrictEqual(issued("auth.provider.example"), [{ kind: "oauth2", provider: null }, { kind: "password" }]);
    assert.deepStrictEqual(issued("constructor"), [{ kind: "oauth2", provider: null }, { kind: "password" }]);
  });

  it("names no server if it has a DOCTYPE, an entity declaration or a CDATA section [S10.4-12]", () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>`;
    for (const prolog of [bomb, `<!DOCTYPE x SYSTEM "file:///etc/passwd">`, "<!doctype html>", "<!ENTITY a 'b'>"]) {
      assert.deepStrictEqual(serversOfDocument(documentWith(IMAP + SMTP, "", prolog)), NO_SERVERS, prolog);
    }
    const section = IMAP.replace("imap.provider.example", "<![CDATA[imap.provider.example]]>");
    assert.deepStrictEqual(serversOfDocument(documentWith(section + SMTP)), NO_SERVERS);
  });

  it("resolves only the predefined entities", () => {
    const host = (text: string) =>
      serversOfDocument(documentWith(IMAP.replace("imap.provider.example", text) + SMTP)).imap[0]?.host;
    assert.strictEqual(host("a&xxe;b"), "a&xxe;b");
    assert.strictEqual(host("a&amp;b&#46;c"), "a&b.c");
  });

  it("reads only the first provider, and servers only in their place", () => {
    const twice = documentWith("", `<emailProvider id="y">${IMAP}${SMTP}</emailProvider>`);
    assert.deepStrictEqual(serversOfDocument(twice), NO_SERVERS);
    assert.deepStrictEqual(serversOfDocument(`<html><body>${IMAP}${SMTP}</body></html>`), NO_SERVERS);
    assert.deepStrictEqual(serversOfDocument(documentWith(`<x>${IMAP}${SMTP}</x>`)), NO_SERVERS);
  });

  it("skips servers without a host, a port or TLS", () => {
    for (const [from, to] of [
      ["<hostname>imap.provider.example</hostname>", ""],
      ["<port>993</port>", "<port>993 143</port>"],
      ["<port>993</port>", "<port>-1</port>"],
      ["<socketType>SSL</socketType>", "<socketType>constructor</socketType>"],
      ["<socketType>SSL</socketType>", "<socketType>plain</socketType>"],
    ] as const) {
      assert.deepStrictEqual(serversOfDocument(documentWith(IMAP.replace(from, to) + SMTP)).imap, [], to);
    }
  });

  it("takes the first of repeated fields", () => {
    const repeated = IMAP.replace("<port>", "<hostname>evil.example</hostname><port>");
    assert.deepStrictEqual(serversOfDocument(documentWith(repeated + SMTP)), FOUND);
  });

  // Joining the path of each nested element would take minutes.
  it.each([
    ["nested elements", `<clientConfig>${"<emailProvider>".repeat(60_000)}`],
    ["nested servers", `<clientConfig><emailProvider>${"<incomingServer type='imap'>".repeat(60_000)}`],
    ["comments and entities", documentWith(`${"<!--".repeat(60_000)}${"&".repeat(150_000)}`)],
  ])("is read without a step for each element above: %s", { timeout: 60_000 }, (_, document) => {
    assert.deepStrictEqual(serversOfDocument(document).imap, []);
  });

  it("never throws, and names only servers over TLS, for any content", () => {
    const pieces = fc.constantFrom(
      IMAP,
      SMTP,
      "<clientConfig>",
      "<emailProvider>",
      "</emailProvider>",
      "<",
      ">",
      "<!",
      "<![CDATA[",
      "]]>",
      "&#x110000;",
      "<incomingServer type='imap'><port>1</port>",
      "\0",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 30 }), (parts) => {
        for (const { tls, port } of [serversOfDocument(parts.join(""))].flatMap(({ imap, smtp }) => [
          ...imap,
          ...smtp,
        ])) {
          assert.include(["implicit", "starttls"], tls);
          assert.isTrue(Number.isInteger(port));
        }
      }),
    );
  });
});
