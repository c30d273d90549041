import { problem } from "./problem.ts";

/** 403: `from` names no verified identity of the account (spec 12.2). */
export class SenderNotAllowed extends problem<SenderNotAllowed>()(
  "sender_not_allowed",
  403,
  "The account may not send as this address",
  "Nothing was sent. Name a verified identity of GET /api/identities in from, or add the address with POST /api/identities and open the link in the mail to it.",
) {}

/** 404: the account has no such identity (spec 12.2). */
export class IdentityNotFound extends problem<IdentityNotFound>()(
  "identity_not_found",
  404,
  "Identity not found",
  "The account has no identity with this id. List them with GET /api/identities.",
) {}

/** 409: the account has an identity with this address, ignoring case. */
export class IdentityExists extends problem<IdentityExists>()(
  "identity_exists",
  409,
  "The account has an identity with this address",
  "Change it with PATCH /api/identities/{id}; to get another mail with a link, delete it and add it again.",
) {}

/** 409: an unverified identity cannot be the default. */
export class IdentityUnverified extends problem<IdentityUnverified>()(
  "identity_unverified",
  409,
  "The identity is not verified",
  "Only a verified identity can be the default. Open the link in the mail to its address, then set isDefault with PATCH /api/identities/{id}.",
) {}

/** 409: the identity has another version (spec 2.7). */
export class IdentityChanged extends problem<IdentityChanged>()(
  "identity_changed",
  409,
  "The identity was changed meanwhile",
  "Nothing was changed: the identity no longer has the version in If-Match. Read it with GET /api/identities, then repeat the request with its version.",
) {}

/** 409: the account's own identity cannot be deleted. */
export class IdentityOwn extends problem<IdentityOwn>()(
  "identity_own",
  409,
  "The account's own address cannot be deleted",
  "Change its name, signature or Reply-To with PATCH /api/identities/{id}; delete other identities only.",
) {}

/** 409: the account has the maximum number of identities. */
export class TooManyIdentities extends problem<TooManyIdentities>()(
  "too_many_identities",
  409,
  "The account has as many identities as it may have",
  "An account has at most 100 identities beside its own address. Delete one with DELETE /api/identities/{id} first.",
) {}
