import { Context } from "effect";
import type { AccountData } from "./AccountData.ts";

/** The account data of every domain, for account removal and credential release. */
export class AllAccountData extends Context.Service<AllAccountData, ReadonlyArray<AccountData>>()(
  "@postern/core/shared/AllAccountData",
) {}
