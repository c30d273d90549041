import { CurrentPrincipal } from "@postern/api";
import { AccountId } from "@postern/core/shared";
import { type EndpointOwner, ownedBy } from "@postern/core/webhooks";
import { Effect } from "effect";

/** The owner of the endpoints that a request is about: the account, or without one the key's application. */
export const currentOwner = Effect.flatMap(CurrentPrincipal, ({ account, key }): Effect.Effect<EndpointOwner> => {
  if (account !== null) return Effect.succeed(ownedBy(AccountId(account)));
  if (key === null) return Effect.die(new Error("the operation is not about an account or an application"));
  const { application, accounts: reach, notify } = key;
  return Effect.succeed({ _tag: "Application", application, reach, notify });
});
