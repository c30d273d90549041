import { Context } from "effect";
import type { AccountId } from "@postern/core/shared";

/** What becomes known of a request while it is answered, for its line in the log. */
export interface RequestRecordFields {
  /** Whose request it is, once its credential was believed. */
  account: AccountId | undefined;
}

/** The record of the request being answered. */
export const RequestRecord = Context.Reference<RequestRecordFields>("@postern/http-api/RequestRecord", {
  defaultValue: () => ({ account: undefined }),
});
