import { accountFields, connectFields, Count, grantFields, serverFields } from "@postern/core/rules";
import { Schema } from "effect";
import { Version } from "./preconditions.ts";
import { Instant } from "./wire.ts";

/** A mail server in the request of a key. */
export const MailServerInput = Schema.Struct({
  host: serverFields.host.annotate({ description: "Host name or address.", examples: ["imap.example.com"] }),
  port: serverFields.port.annotate({ description: "Port: 993 or 143 for IMAP, 465 or 587 for SMTP." }),
  security: serverFields.security.annotate({ description: "TLS from the start, or by STARTTLS." }),
  username: Schema.optionalKey(
    serverFields.username.annotate({ description: "User name at this server. Default: the address." }),
  ),
  certificateSha256: Schema.optionalKey(
    serverFields.certificateSha256.annotate({
      description: "SHA-256 of the only certificate to accept, instead of a check of its authority and name.",
    }),
  ),
}).annotate({ description: "A mail server of the account." });

/** A mail server of an account. */
export const MailServerRecord = Schema.Struct({
  host: Schema.String.annotate({ description: "Host name or address." }),
  port: Schema.Int.annotate({ description: "Port." }),
  security: Schema.Literals(["tls", "starttls", "none"]).annotate({ description: "How connections are encrypted." }),
  username: Schema.NullOr(Schema.String).annotate({ description: "User name; null: the address." }),
  certificateSha256: Schema.NullOr(Schema.String).annotate({
    description: "The pinned certificate; null if none is pinned.",
  }),
}).annotate({ description: "A mail server." });

export const AccountStateName = accountFields.state.annotate({
  description:
    "`active`; `needs_reauth`: the mail server refuses the credential; `paused` by its owner; `unreachable`: its mail servers do not answer.",
});

const Cause = Schema.Literals([
  "not_found",
  "refused",
  "timeout",
  "tls_failed",
  "certificate_untrusted",
  "starttls_missing",
  "not_a_mail_server",
  "auth_refused",
  "app_password_required",
  "oauth_required",
  "basic_auth_disabled",
  "imap_disabled",
  "too_many_connections",
  "unavailable",
  "address_denied",
  "server_flood",
  "protocol",
]);

/** The reason why an account is not active. */
const Fault = Schema.Literals([
  ...Cause.literals,
  "grant_revoked",
  "password_changed",
  "grant_expired",
  "mfa_required",
  "consent_required",
  "token_lost",
  "token_refused",
  "app_misconfigured",
  "provider_unavailable",
  "sign_in_unclear",
]);

/** The result of an attempt at one server. */
export const Check = Schema.Struct({
  ok: Schema.Boolean.annotate({ description: "Whether the server accepted the sign-in." }),
  cause: Schema.NullOr(Cause).annotate({ description: "Why the server did not accept the sign-in; null if it did." }),
  message: Schema.String.annotate({ description: "What the cause means, and what to do." }),
  host: Schema.String.annotate({ description: "The server." }),
  port: Schema.Int.annotate({ description: "Its port." }),
});

/** The results of the attempts at both servers. */
export const Checks = Schema.Struct({
  imap: Check.annotate({ description: "The IMAP server." }),
  smtp: Check.annotate({ description: "The SMTP server." }),
}).annotate({
  description: "The results of the attempts at both servers.",
});

const Reason = Schema.NullOr(
  Schema.Struct({
    code: Fault.annotate({ description: "What is wrong: a `cause` of checks, or a fault of the OAuth2 grant." }),
    message: Schema.String.annotate({ description: "What the code means, and what to do." }),
    since: Instant.annotate({ description: "Time since which the account is in this state." }),
  }),
).annotate({ description: "Why the account is not active; null if it is active or paused." });

const Auth = Schema.Struct({
  kind: Schema.Literals(["password", "oauth2", "application"]).annotate({
    description: "Kind of credential with which the account signs in.",
  }),
  provider: Schema.NullOr(Schema.String).annotate({ description: "Id of the OAuth2 app; null for passwords." }),
}).annotate({ description: "The sign-in at its mail servers." });

const Follow = accountFields.follow.annotate({
  description:
    "`inbox`: INBOX has events while an endpoint or a stream waits for them. `all`: every folder has events at any time.",
});

/** The progress of recording an account that follows all folders. */
const Following = Schema.NullOr(
  Schema.Struct({
    folders: Count.annotate({ description: "Folders that are followed." }),
    done: Count.annotate({ description: "Folders whose messages are all recorded." }),
    messages: Count.annotate({ description: "Messages that are recorded." }),
  }),
).annotate({
  description:
    "Progress of recording the earlier messages. Until a message is recorded, its move is announced as an " +
    "arrival. Null unless all folders are followed.",
});

/** An account in the form that its own user sees. */
export const OwnAccount = Schema.Struct({
  email: Schema.String.annotate({ description: "Address of the account." }),
  state: AccountStateName,
  reason: Reason,
  auth: Auth,
  follow: Follow,
  following: Following,
}).annotate({ identifier: "OwnAccount", description: "The account of a session." });

/** An account in the form that keys with the right to manage accounts see. */
export const AccountRecord = Schema.Struct({
  id: Schema.String.annotate({ description: "Id of the account, `acc_…`. It never changes and reveals nothing." }),
  version: Version,
  email: Schema.String.annotate({ description: "Address of the account." }),
  name: Schema.NullOr(Schema.String).annotate({ description: "Name of the owner." }),
  managed: Schema.Boolean.annotate({
    description:
      "Whether the credential is kept until the account is deleted; false for an account that a sign-in created.",
  }),
  state: AccountStateName,
  reason: Reason,
  auth: Auth,
  imap: Schema.NullOr(MailServerRecord).annotate({ description: "Its IMAP server; null if none is known." }),
  smtp: Schema.NullOr(MailServerRecord).annotate({ description: "Its SMTP server; null if none is known." }),
  capabilities: Schema.Array(Schema.String).annotate({
    description: "Capabilities of the IMAP server at the last verification.",
  }),
  provider: Schema.NullOr(Schema.String).annotate({ description: "The known provider that runs the servers." }),
  tags: Schema.Array(Schema.String).annotate({ description: "Tags, by which keys and lists select accounts." }),
  follow: Follow,
  watched: Schema.Boolean.annotate({ description: "Whether its arrivals are announced at the moment." }),
  createdAt: Instant.annotate({ description: "Time when the account was added." }),
  lastSeenAt: Schema.NullOr(Instant).annotate({
    description: "When the mail server last accepted the account, accurate to five minutes.",
  }),
}).annotate({ identifier: "Account", description: "A mailbox that Postern serves." });

/** One account with the progress of following it, which a list of accounts leaves out. */
export const OneAccount = Schema.Struct({ ...AccountRecord.fields, following: Following }).annotate({
  identifier: "OneAccount",
  description: "A mailbox that Postern serves, with the progress of following it.",
});

const Tags = accountFields.tags.annotate({ description: "Tags, by which keys and lists select accounts." });
const Name = accountFields.name.annotate({ description: "Name of the owner." });
const Password = accountFields.password.annotate({ description: "Password or app password for the mail servers." });

const RefreshToken = grantFields.refreshToken.annotate({
  description: "OAuth2 refresh token of the user. Without one, the app opens the mailbox with its own credentials.",
});

/** A grant with which an account signs in by access tokens. */
const NamedGrant = Schema.Struct({
  app: Schema.optionalKey(
    grantFields.app.annotate({ description: "Id of the OAuth2 app. Default: the app of `delegateOf`." }),
  ),
  refreshToken: Schema.optionalKey(RefreshToken),
  delegateOf: Schema.optionalKey(
    grantFields.delegateOf.annotate({
      description: "Id or address of an account whose tokens open this shared mailbox.",
    }),
  ),
}).annotate({ description: "OAuth2 in place of a password." });

export const NewAccount = Schema.Struct({
  email: accountFields.email.annotate({ description: "Address of the mailbox." }),
  name: Schema.optionalKey(Name),
  password: Schema.optionalKey(Password),
  grant: Schema.optionalKey(NamedGrant),
  imap: Schema.optionalKey(MailServerInput),
  smtp: Schema.optionalKey(MailServerInput),
  tags: Schema.optionalKey(Tags),
  follow: Schema.optionalKey(Follow),
});

/** A mailbox that a user connects in a browser. */
export const NewConnection = Schema.Struct({
  email: Schema.optionalKey(
    connectFields.email.annotate({ description: "Address of the mailbox. Default: the user types it." }),
  ),
  provider: Schema.optionalKey(
    connectFields.provider.annotate({ description: "Id of an OAuth2 app. Default: found by the address." }),
  ),
  redirectUrl: connectFields.redirectUrl.annotate({
    description: "Where the browser is redirected afterwards: https, or http to this machine.",
    examples: ["https://app.example.com/connected"],
  }),
  tags: Schema.optionalKey(Tags),
  state: Schema.optionalKey(
    connectFields.state.annotate({ description: "A value that `redirectUrl` gets back unchanged." }),
  ),
});

/** A mailbox that a user connects on another device. */
export const NewDevice = Schema.Struct({
  provider: connectFields.provider.annotate({ description: "Id of an OAuth2 app." }),
  email: Schema.optionalKey(
    connectFields.email.annotate({
      description: "Address of the mailbox. Default: the address that the provider names.",
    }),
  ),
  tags: Schema.optionalKey(Tags),
});

/** Changes that the user of an account makes. */
export const OwnAccountChange = Schema.Struct({ follow: Follow });

export const AccountChange = Schema.Struct({
  follow: Schema.optionalKey(Follow),
  name: Schema.optionalKey(Name),
  tags: Schema.optionalKey(Tags),
  password: Schema.optionalKey(Password),
  imap: Schema.optionalKey(MailServerInput),
  smtp: Schema.optionalKey(MailServerInput),
  paused: Schema.optionalKey(
    accountFields.paused.annotate({ description: "`true` pauses: nothing is read, sent or watched. `false` resumes." }),
  ),
});
