import { Schema } from "effect";

/** No such account, or one outside the key's reach; the error does not tell which (404, spec 10.2). */
export class AccountNotFound extends Schema.TaggedError<AccountNotFound>()("AccountNotFound", {}) {}

/** The account is paused (409, spec 10.2). */
export class AccountPaused extends Schema.TaggedError<AccountPaused>()("AccountPaused", {}) {}

/** The mail server refuses the account's stored credential (409 for keys, spec 10.2). */
export class AccountNeedsReauth extends Schema.TaggedError<AccountNeedsReauth>()("AccountNeedsReauth", {}) {}
