import { CurrentPrincipal } from "@postern/api";
import type { CreationKey } from "@postern/core/creations";
import { AccountId } from "@postern/core/shared";
import { Effect } from "effect";

/** Returns the `Idempotency-Key` of this request with its caller. Equal keys of different callers are different keys. */
export const creationKey = ({
  "idempotency-key": text,
}: {
  readonly "idempotency-key"?: string;
}): Effect.Effect<CreationKey | undefined, never, CurrentPrincipal> =>
  Effect.map(CurrentPrincipal, ({ account, isAdmin, key }) =>
    text === undefined
      ? undefined
      : {
          caller: `${key?.id ?? (isAdmin ? "admin" : "owner")} ${account ?? ""}`,
          key: text,
          account: account === null ? null : AccountId(account),
        },
  );
