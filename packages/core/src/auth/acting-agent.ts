import { Context, Effect } from "effect";
import { recordOperation } from "../audit/neighbours.ts";
import { includesScope } from "./KeyAuthentication.ts";
import type { SendPolicy } from "./SendPolicy.ts";

/** The rights of a key or a grant that decide what it may send. */
interface SendingRights {
  readonly scopes: ReadonlyArray<string>;
  readonly sendPolicy?: SendPolicy | null;
}

/** An agent, with its policy if it has one. */
export interface Agent {
  readonly policy: SendPolicy | null;
}

/** The agent that sent the current request; null for people, operators and applications, and outside of requests. */
export const ActingAgent = Context.Reference<Agent | null>("@postern/core/auth/ActingAgent", {
  defaultValue: () => null,
});

/** Returns the policy that the sending of a key is judged by; null if it sends as it likes. Without `mail:send` every sending asks. */
export const policyOf = ({ scopes, sendPolicy = null }: SendingRights): SendPolicy | null => {
  if (includesScope(scopes, "mail:send")) return sendPolicy;
  const perDay = sendPolicy?.perDay;
  return { to: [], ...(perDay === undefined ? {} : { perDay }), approval: "always" };
};

/** Returns the agent that a key stands for: a key with a policy, or one that may not change the mailbox as a whole. */
export const agentOf = (key: SendingRights): Agent | null => {
  const policy = policyOf(key);
  return policy !== null || !includesScope(key.scopes, "mail:write") ? { policy } : null;
};

/** Records a change of the mailbox that only agents are asked about (spec 8.7). */
export const recordAgentChange = (...change: Parameters<typeof recordOperation>): ReturnType<typeof recordOperation> =>
  Effect.flatMap(ActingAgent, (agent) => (agent === null ? Effect.void : recordOperation(...change)));
