import { Schema } from "effect";
import { AppFault, GrantFault } from "./provider-errors.ts";

/** The provider ended the grant: only a new consent helps. */
export class GrantRefused extends Schema.TaggedError<GrantRefused>()("GrantRefused", { fault: GrantFault }) {}

/** The provider refuses the app itself: only its operator can help. */
export class AppMisconfigured extends Schema.TaggedError<AppMisconfigured>()("AppMisconfigured", { fault: AppFault }) {}

/** The provider cannot be reached or does not answer as the protocol says. `retryAfter` in milliseconds, null if unsaid. */
export class ProviderUnavailable extends Schema.TaggedError<ProviderUnavailable>()("ProviderUnavailable", {
  retryAfter: Schema.NullOr(Schema.Number),
}) {}

/** Why a provider issued no token. */
export type ProviderError = GrantRefused | AppMisconfigured | ProviderUnavailable;

/** The user, or an administrator's rule, refused the consent. */
export class ConsentDenied extends Schema.TaggedError<ConsentDenied>()("ConsentDenied", {}) {}

/** A callback that is not the provider's answer to the request: another state, issuer or nonce, or no code. */
export class CallbackRejected extends Schema.TaggedError<CallbackRejected>()("CallbackRejected", {}) {}
