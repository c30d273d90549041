import { Context } from "effect";
import type { AccountData } from "./AccountData.ts";

/** The data of every domain: what account removal erases and credential release asks. */
export class AllAccountData extends Context.Service<AllAccountData, ReadonlyArray<AccountData>>()(
  "@postern/core/shared/AllAccountData",
) {}
