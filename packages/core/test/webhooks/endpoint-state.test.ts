import { describe, expect, it } from "vitest";
import { AccountId } from "../../src/shared/index.ts";
import { newEndpoint, ownedBy } from "../../src/webhooks/index.ts";
import { disableEndpoint, enableEndpoint, setSuspended } from "../../src/webhooks/endpoint-state.ts";
import { endpointWith, T0 } from "../webhook-doubles.ts";

const account = ownedBy(AccountId("a@x.test"));

describe("an endpoint", () => {
  it("begins enabled, with no attempt and these defaults", () => {
    expect(newEndpoint("we_1", account, { url: "u", events: [] }, T0)).toEqual({
      id: "we_1",
      owner: account,
      url: "u",
      events: [],
      folders: ["inbox"],
      description: "",
      disablePolicy: "literal",
      honourRetryAfter: false,
      ordered: false,
      maxInFlight: 4,
      state: "enabled",
      disabledAt: null,
      disabledReason: null,
      generation: 1,
      createdAt: T0,
      updatedAt: T0,
      lastSuccessAt: null,
      lastDeliveryAt: null,
      lastStatus: null,
      consecutiveFailures: 0,
    });
  });

  it("is suspended with its application if it is enabled, and resumed if it is suspended", () => {
    const enabled = endpointWith();
    const suspended = setSuspended(enabled, true, T0 + 5);
    expect(suspended).toEqual({ ...enabled, state: "suspended", updatedAt: T0 + 5 });
    expect(setSuspended(suspended, true, T0 + 6)).toBe(suspended);
    expect(setSuspended(suspended, false, T0 + 6)).toEqual({ ...enabled, updatedAt: T0 + 6 });
    expect(setSuspended(enabled, false, T0 + 6)).toBe(enabled);
    expect(enableEndpoint(suspended, T0 + 6)).toBe(suspended);
    const disabled = disableEndpoint(enabled, "owner", T0);
    expect([true, false].map((is) => setSuspended(disabled, is, T0 + 5))).toEqual([disabled, disabled]);
  });
});
