import { CurrentPrincipal } from "@postern/api";
import type { KeyAllowance } from "@postern/core/send";
import { Effect } from "effect";

/** How many messages the key of this request may send; undefined without a limit of its own. */
export const currentAllowance = Effect.map(CurrentPrincipal, ({ key }): KeyAllowance | undefined =>
  key === null || key.sendPerDay === null ? undefined : { keyId: key.id, perDay: key.sendPerDay },
);
