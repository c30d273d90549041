import { Schema } from "effect";
import { GrantFault } from "../accounts/neighbours.ts";
import { AppFault } from "./provider-errors.ts";

/** The provider ended the grant. Only a new consent restores access. */
export class GrantRefused extends Schema.TaggedError<GrantRefused>()("GrantRefused", { fault: GrantFault }) {}

/** The provider refuses the app itself. Only the app's operator can correct the cause. */
export class AppMisconfigured extends Schema.TaggedError<AppMisconfigured>()("AppMisconfigured", { fault: AppFault }) {}

/**
 * The provider cannot be reached, or its answer violates the protocol. `retryAfter` in milliseconds; null if the
 * provider did not give it.
 */
export class ProviderUnavailable extends Schema.TaggedError<ProviderUnavailable>()("ProviderUnavailable", {
  retryAfter: Schema.NullOr(Schema.Number),
}) {}

/** The reason why a provider issued no token. */
export type ProviderError = GrantRefused | AppMisconfigured | ProviderUnavailable;

/** The user, or an administrator's rule, refused the consent. */
export class ConsentDenied extends Schema.TaggedError<ConsentDenied>()("ConsentDenied", {}) {}

/** The callback is not the provider's answer to the request: it has another state, issuer or nonce, or no code. */
export class CallbackRejected extends Schema.TaggedError<CallbackRejected>()("CallbackRejected", {}) {}

/** No OAuth2 app has this id (404). */
export class AppNotFound extends Schema.TaggedError<AppNotFound>()("AppNotFound", {}) {}

/** The app comes from the settings, so the API cannot change it (409). */
export class AppReadOnly extends Schema.TaggedError<AppReadOnly>()("AppReadOnly", {}) {}

/** The grant in the request is invalid (400). */
export class GrantInvalid extends Schema.TaggedError<GrantInvalid>()("GrantInvalid", { reason: Schema.String }) {}

/** The reason of `GrantInvalid` for an address in a domain that the app does not serve. */
export const OTHER_DOMAIN = "the app is not for the domain of this address";

/** The reason of `GrantInvalid` for mail servers that must not receive the token. */
export const NO_SERVERS = "its tokens go only to the mail servers of its app, not to those of a request";

/** The user who consented is not the user who consented before, or not the owner of the mailbox (422). */
export class OtherIdentity extends Schema.TaggedError<OtherIdentity>()("OtherIdentity", {}) {}

/** The connect link is unknown, used or older than ten minutes. */
export class LinkExpired extends Schema.TaggedError<LinkExpired>()("LinkExpired", {}) {}

/** The callback belongs to no consent of this browser: the consent was already used, is too old, or began in another browser. */
export class ConsentExpired extends Schema.TaggedError<ConsentExpired>()("ConsentExpired", {}) {}

/** Too many consents of one network are in progress (429). */
export class TooManyConsents extends Schema.TaggedError<TooManyConsents>()("TooManyConsents", {}) {}

/** No device authorization has this id (404). */
export class DeviceNotFound extends Schema.TaggedError<DeviceNotFound>()("DeviceNotFound", {}) {}
