import { Effect, Option } from "effect";
import type { ServiceKeys } from "../auth/index.ts";
import type { StoreUnavailable } from "../shared/index.ts";
import type { ConnectRequest } from "./ConnectAttempt.ts";

/** Returns whether the key that requested a connection still exists and is valid at `now`, in epoch milliseconds. */
export const isKeyLive = (
  keys: ServiceKeys["Service"],
  { key }: Pick<ConnectRequest, "key">,
  now: number,
): Effect.Effect<boolean, StoreUnavailable> =>
  key === undefined
    ? Effect.succeed(true)
    : Effect.map(
        keys.find(key),
        Option.exists(({ expiresAt }) => expiresAt === null || now < expiresAt),
      );
