import { CurrentPrincipal } from "@postern/api";
import { AccountId } from "@postern/core/shared";
import { Effect } from "effect";

/** The account that a request of the authenticated principal is about; a defect in an operation that has none. */
export const currentAccount = Effect.flatMap(CurrentPrincipal, ({ account }) =>
  account === null
    ? Effect.die(new Error("the operation is not about an account"))
    : Effect.succeed(AccountId(account)),
);

/** The service key of this request; null for a person and for the operator. */
export const currentKey = Effect.map(CurrentPrincipal, ({ key }) => key);
