import { Effect } from "effect";
import { describe, expect, it } from "vitest";
import { AuditTrail } from "../../src/audit/Audit.ts";
import { ActingAgent, agentOf, policyOf, recordAgentChange } from "../../src/auth/acting-agent.ts";
import { includesScope } from "../../src/auth/KeyAuthentication.ts";
import { keyFields } from "../../src/auth/rules.ts";
import { faultsBy } from "../../src/shared/neighbours.ts";

const faultsOf = faultsBy({ sendPolicy: keyFields.sendPolicy });
const fields = (to: string) => faultsOf({ sendPolicy: { to: [to], approval: "outside" } }).map(({ field }) => field);

describe("a policy", () => {
  it.each(["thread", "a@y.test", "A.B+c@sub.y.test", "@y.test", "ü@münchen.test", "@localhost"])("names %s", (to) => {
    expect(fields(to)).toEqual([]);
  });

  it.each(["no address", "y.test", "@", "a@", "a@b@c", "<a@y.test>", "@y.test.", "a@-y.test", "threads", "a@y\n"])(
    "does not name %j",
    (to) => {
      expect(fields(to)).toEqual(["sendPolicy.to.0"]);
    },
  );
});

describe("a key", () => {
  const sendPolicy = { to: ["@y.test"], perDay: 3, approval: "outside" } as const;

  it("needs an approval for every message without mail:send [S13.1-2]", () => {
    expect(policyOf({ scopes: ["mail:draft"] })).toEqual({ to: [], approval: "always" });
    expect(policyOf({ scopes: ["mail:draft"], sendPolicy })).toEqual({ to: [], perDay: 3, approval: "always" });
  });

  it("sends within its policy, and without restrictions if it has none", () => {
    expect(policyOf({ scopes: ["mail:send"], sendPolicy })).toEqual(sendPolicy);
    expect(policyOf({ scopes: ["mail:send"], sendPolicy: null })).toBe(null);
  });

  it("belongs to an agent if it has a policy, or lacks mail:send or mail:write [S13.1-6]", () => {
    expect(agentOf({ scopes: ["mail:write", "mail:send"] })).toBe(null);
    for (const scopes of [["mail:write"], ["mail:send"], ["mail:organize"]]) expect(agentOf({ scopes })).not.toBe(null);
    expect(agentOf({ scopes: ["mail:write", "mail:send"], sendPolicy })).toEqual({ policy: sendPolicy });
  });
});

it("mail:write includes organizing and deleting, and no other scope", () => {
  const included = ["mail:write", "mail:organize", "mail:delete", "mail:draft", "mail:send", "mail:read"];
  expect(included.map((needed) => includesScope(["mail:write"], needed))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(["mail:organize", "mail:write"].map((needed) => includesScope(["mail:organize"], needed))).toEqual([
    true,
    false,
  ]);
  expect(includesScope([], "mail:organize")).toBe(false);
});

it("a change of the mailbox is audited if an agent made it", () => {
  const audited = (agent: typeof ActingAgent.Service) => {
    const recorded: Array<string> = [];
    Effect.runSync(
      recordAgentChange("messages.change", { target: "m1" }).pipe(
        Effect.provideService(ActingAgent, agent),
        Effect.provideService(AuditTrail, (operation, { target }) =>
          Effect.sync(() => void recorded.push(`${operation} ${target}`)),
        ),
      ),
    );
    return recorded;
  };
  expect(audited(null)).toEqual([]);
  expect(audited({ policy: null })).toEqual(["messages.change m1"]);
});
