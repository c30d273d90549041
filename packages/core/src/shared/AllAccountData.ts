import { Context } from "effect";
import type { AccountData } from "./AccountData.ts";

/** The account data of every domain, for the removal of accounts and keys and the release of credentials. */
export class AllAccountData extends Context.Service<AllAccountData, ReadonlyArray<AccountData>>()(
  "@postern/core/shared/AllAccountData",
) {}
