import { Effect, Option } from "effect";
import { type KeyReach, reaches } from "../auth/index.ts";
import type { AccountId } from "../shared/index.ts";
import { OutsideReach } from "./errors.ts";
import type { AccountDirectory } from "./ports/AccountDirectory.ts";

/** Fails if the account is outside a reach, or would be outside the reach with these tags. */
export const checkReach = Effect.fnUntraced(function* (
  directory: AccountDirectory["Service"],
  address: AccountId,
  tags: ReadonlyArray<string> | null,
  reach: KeyReach | null,
) {
  const known = Option.getOrNull(yield* directory.find(address))?.tags;
  const all = [known, tags ?? known ?? []].filter((some) => some !== undefined);
  if (!all.every((some) => reaches(reach, { address, tags: some }))) return yield* new OutsideReach();
});
