import { Clock, Effect, Option } from "effect";
import { AgentGrantRecords } from "../../assistants/index.ts";
import { ServiceKeys } from "../../auth/index.ts";
import type { Requester } from "./Approval.ts";

/** The keys and grants that ask for approvals. */
export const requesters = Effect.all({ keys: ServiceKeys, grants: AgentGrantRecords });

/**
 * Returns whether the key or grant that asked has ended. Its end withdraws the approvals that it sees, but not one that is asked for
 * at the same moment.
 */
export const hasEnded = Effect.fnUntraced(function* (
  { keys, grants }: Effect.Success<typeof requesters>,
  { kind, id }: Requester,
) {
  const endsAt =
    kind === "key"
      ? Option.map(yield* keys.find(id), ({ expiresAt }) => expiresAt ?? Infinity)
      : Option.map(yield* grants.find(id), ({ expiresAt }) => expiresAt);
  const now = yield* Clock.currentTimeMillis;
  return !Option.exists(endsAt, (at) => now < at);
});
