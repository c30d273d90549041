import { Schema } from "effect";
import { describe, expect, it } from "vitest";
import {
  accountFields,
  appFields,
  attachmentFields,
  auditFields,
  connectFields,
  Count,
  feedFields,
  grantFields,
  identityFields,
  keyFields,
  LongId,
  messageFields,
  outboxRules,
  pageFields,
  PositiveInt,
  RecordId,
  searchFields,
  sendFields,
  serverFields,
  signInFields,
  webhookFields,
} from "../src/rules.ts";

type Rule = Schema.Top;

const accepts = (rule: Rule, value: unknown): boolean => Schema.is(rule as Schema.Schema<unknown>)(value);

describe("the characters of a field", () => {
  it.each<[string, Rule, number]>([
    ["an id", RecordId, 128],
    ["an id of another system", LongId, 256],
    ["an address", signInFields.email, 320],
    ["a password", signInFields.password, 1_024],
    ["a refresh token of a session", signInFields.refreshToken, 4_096],
    ["a host", serverFields.host, 253],
    ["the name of an account", accountFields.name, 200],
    ["a search for accounts", accountFields.query, 200],
    ["an account in the audit", auditFields.account, 512],
    ["the name of a key", keyFields.name, 200],
    ["the name of an application that people see", keyFields.displayName, 100],
    ["the purpose of an application", keyFields.purpose, 300],
    ["a position of the feed", feedFields.after, 64],
    ["the types of a feed", feedFields.types, 1_000],
    ["a folder", searchFields.folder, 1_024],
    ["a cursor of messages", searchFields.cursor, 4_096],
    ...(["from", "to", "cc", "subject", "messageId", "text", "label"] as const).map((name): [string, Rule, number] => [
      `a search for ${name}`,
      searchFields[name],
      500,
    ]),
    ["a conversation", messageFields.threadId, 255],
    ["the id of an app", appFields.id, 63],
    ["the label of an app", appFields.label, 63],
    ["an issuer", appFields.issuer, 2_048],
    ["a tenant", appFields.tenant, 253],
    ["a client id", appFields.clientId, 512],
    ["a client secret", appFields.clientSecret, 4_096],
    ["a private key", appFields.privateKey, 16_384],
    ["a refresh token of a grant", grantFields.refreshToken, 16_384],
    ["the mailbox of a delegate", grantFields.delegateOf, 512],
    ["a state of a connection", connectFields.state, 1_024],
    ["the URL of an attachment", attachmentFields.url, 2_048],
    ["a URL to unsubscribe", sendFields.unsubscribe.fields.url, 1_000],
    ["a Message-ID of the outbox", outboxRules.fields.messageId, 1_000],
  ])("%s: from 1", (_, rule, most) => {
    const isAccepted = [0, 1, most, most + 1].map((length) => accepts(rule, "x".repeat(length)));
    expect(isAccepted).toEqual([false, true, true, false]);
  });

  it.each<[string, Rule, number]>([
    ["a tag", accountFields.tags, 100],
    ["an account of a key", keyFields.accounts, 512],
    ["a network of a key", keyFields.networks, 64],
    ["a label", messageFields.labels, 255],
    ["a domain of an app", appFields.domains, 253],
    ["a scope of an app", appFields.scopes, 512],
  ])("%s in a list: from 1", (_, rule, most) => {
    const isAccepted = [0, 1, most, most + 1].map((length) => accepts(rule, ["x".repeat(length)]));
    expect(isAccepted).toEqual([false, true, true, false]);
  });

  it.each<[string, Rule, number]>([
    ["the description of an endpoint", webhookFields.description, 500],
    ["a signature", identityFields.signatureText, 65_536],
    ["a signature in HTML", identityFields.signatureHtml, 65_536],
  ])("%s: may be none", (_, rule, most) => {
    const isAccepted = [0, most, most + 1].map((length) => accepts(rule, "x".repeat(length)));
    expect(isAccepted).toEqual([true, true, false]);
  });

  it("a cursor of a list: 300, after its number", () => {
    const cursor = (length: number) => `-12.${"x".repeat(length - 4)}`;
    expect([5, 300, 301].map((length) => accepts(pageFields.cursor, cursor(length)))).toEqual([true, true, false]);
    expect(["x", "1", ".x", "1.", `${"1".repeat(16)}.x`].filter((text) => accepts(pageFields.cursor, text))).toEqual(
      [],
    );
  });

  it("are well-formed text without NUL everywhere, and one line where people see them", () => {
    for (const rule of [RecordId, searchFields.from, webhookFields.description, sendFields.sendAt]) {
      expect(["\ud800", "a\0b"].filter((text) => accepts(rule, text))).toEqual([]);
    }
    for (const rule of [searchFields.text, keyFields.displayName, keyFields.purpose]) {
      expect(["a\nb", "a\u0085b"].filter((text) => accepts(rule, text))).toEqual([]);
    }
  });
});

it.each<[string, Rule, number, number]>([
  ["a port", serverFields.port, 1, 65_535],
  ["the minutes of a protocol log", accountFields.minutes, 1, 60],
  ["the events of a part of the feed", feedFields.limit, 1, 200],
  ["the seconds to wait for an event", feedFields.wait, 0, 60],
  ["the seconds to wait for a message", messageFields.timeout, 0, 120],
  ["the requests in flight", webhookFields.maxInFlight, 1, 32],
  ["the entries of a page", pageFields.limit, 1, 200],
  ["a page", PositiveInt, 1, 2 ** 31 - 1],
  ["a count", Count, 0, Number.MAX_SAFE_INTEGER],
])("%s is a whole number in its range", (_, rule, least, most) => {
  const values = [least - 1, least, least + 0.5, most, most + 1];
  expect(values.map((value) => accepts(rule, value))).toEqual([false, true, false, true, false]);
});

it.each<[string, Rule, unknown, number, number]>([
  ["tags", accountFields.tags, "a", 0, 50],
  ["scopes of a key", keyFields.scopes, "mail:read", 1, 10],
  ["accounts of a key", keyFields.accounts, "a", 1, 1_000],
  ["networks of a key", keyFields.networks, "a", 1, 100],
  ["messages of a batch", messageFields.ids, "a", 1, 1_000],
  ["labels of a change", messageFields.labels, "a", 1, 50],
  ["folders that are waited for", messageFields.folders, "a", 1, 10],
  ["events of an endpoint", webhookFields.events, "a", 1, Infinity],
  ["states of a replay", webhookFields.states, "held", 1, Infinity],
])("%s are as many as they may be", (_, rule, entry, least, most) => {
  const isAccepted = (length: number) =>
    accepts(
      rule,
      Array.from({ length }, () => entry),
    );
  expect([isAccepted(least), least > 0 && isAccepted(least - 1)]).toEqual([true, false]);
  if (most < Infinity) expect([isAccepted(most), isAccepted(most + 1)]).toEqual([true, false]);
});

it.each<[string, Rule, ReadonlyArray<string>]>([
  ["the security of a server", serverFields.security, ["tls", "starttls"]],
  ["the state of an account", accountFields.state, ["active", "needs_reauth", "paused", "unreachable"]],
  ["the mail of a deleted key", keyFields.mail, ["keep", "hold", "cancel"]],
  ["the scope of a search", searchFields.scope, ["headers", "all"]],
  ["the policy of an endpoint", webhookFields.disablePolicy, ["literal", "no_success"]],
  [
    "the state of a delivery",
    webhookFields.state,
    ["pending", "held", "in_flight", "succeeded", "exhausted", "cancelled"],
  ],
  [
    "the state of an outgoing message",
    outboxRules.fields.state,
    ["scheduled", "queued", "held", "sending", "sent", "failed", "unknown", "cancelled"],
  ],
])("%s is one of its words", (_, rule, words) => {
  expect([...words, "", "other"].filter((word) => accepts(rule, word))).toEqual(words);
});
