import { Context, Effect } from "effect";
import { recordOperation } from "../audit/neighbours.ts";
import { includesScope } from "./KeyAuthentication.ts";
import type { SendPolicy } from "./SendPolicy.ts";

/** The rights of a key or a grant that limit what it may send. */
interface SendingRights {
  readonly scopes: ReadonlyArray<string>;
  readonly sendPolicy?: SendPolicy | null;
}

/** An agent; `policy` is null if the agent has no policy. */
export interface Agent {
  readonly policy: SendPolicy | null;
}

/** The agent that sent the current request; null for people, operators and applications, and outside of requests. */
export const ActingAgent = Context.Reference<Agent | null>("@postern/core/auth/ActingAgent", {
  defaultValue: () => null,
});

/**
 * Returns the sending policy of a key; null if the key may send without restrictions. Without `mail:send`, every
 * message needs an approval.
 */
export const policyOf = ({ scopes, sendPolicy = null }: SendingRights): SendPolicy | null => {
  if (includesScope(scopes, "mail:send")) return sendPolicy;
  const perDay = sendPolicy?.perDay;
  return { to: [], ...(perDay === undefined ? {} : { perDay }), approval: "always" };
};

/** Returns the agent that uses a key, or null if no agent does. A key belongs to an agent if it has a policy or lacks `mail:write`. */
export const agentOf = (key: SendingRights): Agent | null => {
  const policy = policyOf(key);
  return policy !== null || !includesScope(key.scopes, "mail:write") ? { policy } : null;
};

/** Records a change of the mailbox that is audited only if an agent made it (spec 8.7). */
export const recordAgentChange = (...change: Parameters<typeof recordOperation>): ReturnType<typeof recordOperation> =>
  Effect.flatMap(ActingAgent, (agent) => (agent === null ? Effect.void : recordOperation(...change)));
