import type { Invariant } from "./Invariant.ts";
import { sending } from "./invariants/sending.ts";

/** Everything that must hold in every seed. */
export const defaultInvariants: ReadonlyArray<Invariant> = [sending];
