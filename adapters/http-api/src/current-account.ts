import { CurrentPrincipal } from "@postern/api";
import { AccountId } from "@postern/core/shared";
import { Effect } from "effect";

/** The account of the request, as its session vouches for it. */
export const currentAccount = Effect.map(CurrentPrincipal, ({ account }) => AccountId(account));
