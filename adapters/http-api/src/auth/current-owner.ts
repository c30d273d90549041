import { CurrentPrincipal } from "@postern/api";
import { AccountId } from "@postern/core/shared";
import { type EndpointOwner, ownedBy } from "@postern/core/webhooks";
import { Effect } from "effect";

/**
 * Returns the owner of the endpoints in a request: the account or, if the request names no account, the key's
 * application.
 */
export const currentOwner = Effect.flatMap(CurrentPrincipal, ({ account, key }): Effect.Effect<EndpointOwner> => {
  if (account !== null) return Effect.succeed(ownedBy(AccountId(account)));
  if (key === null) return Effect.die(new Error("the operation is not about an account or an application"));
  const { application, accounts: reach, notify } = key;
  return Effect.succeed({ _tag: "Application", application, reach, notify });
});
