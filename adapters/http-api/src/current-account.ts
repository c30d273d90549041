import { CurrentPrincipal } from "@postern/api";
import { AccountId } from "@postern/core/shared";
import { Effect } from "effect";

/** The account of the authenticated session. */
export const currentAccount = Effect.map(CurrentPrincipal, ({ account }) => AccountId(account));
