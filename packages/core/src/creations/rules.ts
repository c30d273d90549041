import { textUpTo } from "../shared/rules.ts";
import { MAX_KEY_CHARS } from "./limits.ts";

/** The `Idempotency-Key` of a request (spec 2.6, 6.5). */
export const IdempotencyKey = textUpTo(MAX_KEY_CHARS);
