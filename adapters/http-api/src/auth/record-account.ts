import type { AccountId } from "@postern/core/shared";
import { Effect, Option } from "effect";
import { RequestRecord } from "../wire/RequestRecord.ts";

/** Names the account of a request in its log lines, for an operation that finds the account itself. */
export const recordAccount = (account: Option.Option<AccountId>) =>
  Effect.map(RequestRecord, (record) => {
    record.account = Option.getOrUndefined(account);
  });
