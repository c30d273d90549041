import type { KeyRequest } from "../src/auth/KeyRequest.ts";
import { AccountId } from "../src/shared/index.ts";
import { Effect } from "effect";
import { describe, expect, it } from "vitest";
import { keyFaults } from "../src/auth/key-faults.ts";
import { checkRequest, type EndpointRequest } from "../src/webhooks/endpoint-settings.ts";
import type { EndpointOwner } from "../src/webhooks/EndpointOwner.ts";

const ACCOUNT: EndpointOwner = { _tag: "Account", account: AccountId("a@x.test") };
const APPLICATION: EndpointOwner = { _tag: "Application", application: "crm", reach: null, notify: null };

describe("the settings of an endpoint", () => {
  const fields = (owner: EndpointOwner, request: Partial<EndpointRequest>) =>
    Effect.runSync(
      Effect.match(checkRequest(owner, request), {
        onFailure: ({ errors }) => [...new Set(errors.map(({ field }) => field))],
        onSuccess: () => [],
      }),
    );

  it.each([5000, 11, 0, -1, 1.5, Number.NaN])("have no maxInFlight of %d for an account", (maxInFlight) =>
    expect(fields(ACCOUNT, { maxInFlight })).toEqual(["maxInFlight"]),
  );

  it("may have 32 requests in flight for an application, and no more [S10.3-36]", () => {
    expect(fields(APPLICATION, { maxInFlight: 32 })).toEqual([]);
    expect(fields(APPLICATION, { maxInFlight: 33 })).toEqual(["maxInFlight"]);
  });

  it("name an event type, and are described in 500 characters", () => {
    expect(fields(ACCOUNT, { description: "x".repeat(500), events: ["email.sent"] })).toEqual([]);
    expect(fields(ACCOUNT, { description: "x".repeat(100_000), events: [] })).toEqual(["events", "description"]);
  });
});

it("a key has a name, scopes, an expiry in the future, a quota from 1 and a notify address", () => {
  const good: KeyRequest = {
    name: "crm",
    application: null,
    scopes: ["mail:read"],
    accounts: null,
    networks: null,
    expiresAt: 2,
    sendPerDay: 1,
    notify: "a@x.test",
  };
  expect(keyFaults(good, 1)).toEqual([]);
  const bad: KeyRequest = {
    name: "x".repeat(201),
    application: "",
    scopes: [],
    accounts: null,
    networks: null,
    expiresAt: 1,
    sendPerDay: 0,
    notify: "no address",
  };
  expect(keyFaults(bad, 1).map(({ field }) => field)).toEqual([
    "name",
    "application",
    "scopes",
    "sendPerDay",
    "expiresAt",
    "notify",
  ]);
});
