import { Context } from "effect";
import type { AccountId } from "@postern/core/shared";

/** Facts about a request that become known while it is handled, for its log line. */
export interface RequestRecordFields {
  /** The account, once the credential is verified. */
  account: AccountId | undefined;
  /** The id of the key that sent the request; `admin` for an admin key. */
  keyId: string | undefined;
}

/** The record of the current request. */
export const RequestRecord = Context.Reference<RequestRecordFields>("@postern/http-api/RequestRecord", {
  defaultValue: () => ({ account: undefined, keyId: undefined }),
});
