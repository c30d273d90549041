import type { ApiAnswer, ApiProblem } from "@postern/client/browser";
import { markText, type Text } from "./text.ts";

/** The title of a problem, and what to do about it. */
type ProblemText = readonly [title: Text, advice: Text];

type Reason = NonNullable<ApiAnswer<"GET /api/account">["data"]["reason"]>;

const AGAIN = markText("Try again in a moment.");
const GONE = markText("It may have been deleted. Reload the page.");
const CHANGED = markText("Nothing was changed. Reload the page, then make the change again.");
const RELOAD = markText("Reload the page. If that does not help, tell the operator of this service.");
const OTHER_KEY = markText("Use another key, or ask the operator of this service.");
const NOT_SENT = markText("Nothing was sent.");

/** The texts of problems by their codes, for all languages but English, in which the service answers. */
export const PROBLEMS: Readonly<
  Record<Exclude<ApiProblem["code"], "offline" | "unknown">, ProblemText> & Record<string, ProblemText>
> = {
  invalid_request: [markText("The request is not valid"), markText("Correct the fields that are named.")],
  two_credentials: [markText("Send a bearer token or the session cookie, not both"), RELOAD],
  account_required: [markText("The request names no account"), RELOAD],
  ambiguous_folder: [
    markText("The folder name is ambiguous"),
    markText("Several folders have this name. Choose one of them in the list."),
  ],
  folder_not_selectable: [
    markText("The folder cannot contain messages"),
    markText("It has other folders only. Choose one of those."),
  ],
  invalid_folder_name: [
    markText("A folder cannot have this name or parent"),
    markText("Choose another name or another parent folder."),
  ],
  system_folder: [markText("A system folder cannot be changed or deleted"), markText("Choose another folder.")],
  has_children: [
    markText("The folder has subfolders"),
    markText("Delete its subfolders first, or delete them with it."),
  ],
  invalid_destination: [markText("The messages cannot be moved there"), markText("Choose another folder.")],
  cursor_expired: [markText("The folder was recreated since this cursor was given"), markText("Reload the page.")],
  invalid_label: [markText("A label cannot have this name"), markText("Choose another name for the label.")],
  servers_fixed: [
    markText("The operator chooses the mail servers"),
    markText("Leave out the servers: the operator decides on which servers this address lives."),
  ],
  recipient_refused: [
    markText("The mail server refused every recipient"),
    markText("Nothing was sent. Correct the addresses, then send again."),
  ],
  invalid_credentials: [
    markText("E-mail address and password do not match"),
    markText("Check both, then sign in again."),
  ],
  app_password_required: [
    markText("The mail provider requires an app password"),
    markText("Create an app password in the security settings of the mailbox, and sign in with it."),
  ],
  basic_auth_disabled: [
    markText("The mail provider has disabled sign-in with passwords"),
    markText("Connect the mailbox with OAuth2, or ask its administrator."),
  ],
  imap_disabled: [
    markText("IMAP is disabled for this mailbox"),
    markText("Enable IMAP in the settings of the mailbox, then sign in again."),
  ],
  oauth_required: [markText("The mail server accepts no passwords"), markText("Connect the mailbox with OAuth2.")],
  unauthorized: [markText("Sign in first"), markText("The session has ended, or the key is wrong.")],
  refresh_reused: [markText("This refresh token was used before"), markText("Sign in again.")],
  mailbox_credentials_rejected: [
    markText("The mail server no longer accepts the account's password or token"),
    markText("Sign in again with the current password."),
  ],
  cross_site_request: [markText("The request did not come from a page of the service"), RELOAD],
  https_required: [
    markText("Browsers can sign in over https only"),
    markText("Open this page over https, or ask the operator of this service."),
  ],
  insufficient_scope: [markText("The credential does not allow this operation"), OTHER_KEY],
  key_network_refused: [markText("The key is not accepted from this network"), OTHER_KEY],
  application_suspended: [
    markText("The application of the key is suspended"),
    markText("Resume the application, or ask the operator of this service to do it."),
  ],
  not_permitted: [
    markText("The mail server does not permit this account to do this"),
    markText("Ask the owner of the folder for the right, then try again."),
  ],
  outside_reach: [
    markText("The key does not reach this account"),
    markText("Use another key, another address or other tags."),
  ],
  outside_policy: [markText("The policy of the agent does not allow this message"), NOT_SENT],
  agent_not_allowed: [
    markText("An agent may not do this"),
    markText("Nothing was changed. Ask the owner of the mailbox to do it."),
  ],
  approval_own: [markText("The key that asked cannot decide"), markText("Let the owner of the mailbox decide.")],
  sender_blocked: [
    markText("This address may not send"),
    markText("Ask the operator of this service to allow the address."),
  ],
  sender_refused: [
    markText("The mail server does not let this address send"),
    markText("Nothing was sent. Ask the operator of the mail server to let this address send."),
  ],
  sender_not_allowed: [
    markText("The account may not send as this address"),
    markText("Nothing was sent. Add the address in the settings, and open the link in the mail to it."),
  ],
  not_found: [markText("Not found"), markText("Check the address of the page.")],
  folder_not_found: [markText("Folder not found"), GONE],
  message_not_found: [
    markText("Message not found"),
    markText("It may have been deleted, or moved by another mail program."),
  ],
  attachment_not_found: [markText("Attachment not found"), GONE],
  upload_not_found: [markText("Upload not found"), markText("Attach the file again.")],
  outgoing_not_found: [markText("Outgoing message not found"), markText("Finished messages are kept for 30 days.")],
  endpoint_not_found: [markText("Webhook endpoint not found"), GONE],
  delivery_not_found: [markText("Delivery not found"), markText("Deliveries are kept for 14 days.")],
  session_not_found: [markText("Session not found"), markText("It may have ended already. Reload the page.")],
  account_not_found: [markText("Account not found"), GONE],
  key_not_found: [markText("Service key not found"), GONE],
  application_not_found: [markText("Application not found"), GONE],
  identity_not_found: [markText("Identity not found"), GONE],
  approval_not_found: [markText("Approval not found"), markText("Decided approvals are kept for 90 days.")],
  draft_not_found: [markText("Draft not found"), markText("It may have been sent or deleted.")],
  oauth_app_not_found: [markText("OAuth2 app not found"), GONE],
  grant_not_found: [markText("Grant not found"), markText("It may have ended already. Reload the page.")],
  oauth_client_not_found: [markText("OAuth client not found"), GONE],
  device_not_found: [markText("Device authorization not found"), markText("Start the connection again.")],
  trace_not_found: [
    markText("The account has no protocol log"),
    markText("No log was started, or it ended more than a day ago."),
  ],
  block_not_found: [markText("Blocked sender not found"), GONE],
  contact_not_found: [markText("Contact not found"), GONE],
  method_not_allowed: [markText("This path does not allow this method"), RELOAD],
  folder_exists: [markText("A folder with this name already exists"), markText("Choose another name.")],
  labels_not_supported: [
    markText("The mail server does not keep these labels"),
    markText("Use a label that exists already, or a shorter name."),
  ],
  too_many_blocks: [
    markText("The account blocks too many senders"),
    markText("Unblock a sender, then block the new one."),
  ],
  unsubscribe_not_offered: [
    markText("The message has no list to leave"),
    markText("Nothing was sent: no list says how to leave it."),
  ],
  invitation_not_answerable: [markText("The message has no invitation that can be answered"), NOT_SENT],
  endpoint_disabled: [markText("This webhook endpoint is disabled"), markText("Enable it, then try again.")],
  too_many_endpoints: [markText("The account has too many webhook endpoints"), markText("Delete an endpoint first.")],
  send_in_progress: [markText("A request with this Idempotency-Key is in progress"), AGAIN],
  creation_in_progress: [markText("A request with this Idempotency-Key is in progress"), AGAIN],
  not_cancellable: [
    markText("The message can no longer be cancelled"),
    markText("Only messages that wait can be cancelled."),
  ],
  not_releasable: [markText("The message cannot be released"), markText("The message is not held.")],
  not_waiting: [
    markText("The message does not wait for an attempt"),
    markText("Only a queued message can be sent now."),
  ],
  account_paused: [markText("The account is paused"), markText("The operator of this service can resume it.")],
  account_needs_reauth: [
    markText("The mail server refuses the password of the account"),
    markText("Sign in again, or give the current password."),
  ],
  account_exists: [
    markText("The account exists"),
    markText("Change the account that has this address, or delete it first."),
  ],
  account_being_removed: [markText("The account is being removed"), AGAIN],
  identity_exists: [
    markText("The account has an identity with this address"),
    markText("Change the one that exists; to get another mail with a link, delete it and add it again."),
  ],
  identity_unverified: [
    markText("The identity is not verified"),
    markText("Open the link in the mail to its address first."),
  ],
  identity_own: [markText("The account's own address cannot be deleted"), markText("Delete other senders only.")],
  too_many_identities: [
    markText("The account has as many identities as it may have"),
    markText("Delete a sender first."),
  ],
  approval_changed: [
    markText("The approval is about another version"),
    markText("Nothing was sent. Reload the page, read the message again, then decide."),
  ],
  approval_decided: [
    markText("The approval is no longer pending"),
    markText("Nothing was sent. Reload the page to see its state."),
  ],
  draft_changed: [markText("The draft was changed meanwhile"), markText("Nothing was saved. Open the draft again.")],
  endpoint_changed: [markText("The endpoint was changed meanwhile"), CHANGED],
  folder_changed: [markText("The folder was changed meanwhile"), CHANGED],
  identity_changed: [markText("The identity was changed meanwhile"), CHANGED],
  account_changed: [markText("The account was changed meanwhile"), CHANGED],
  grant_changed: [markText("The grant was changed meanwhile"), CHANGED],
  key_changed: [markText("The key was changed meanwhile"), CHANGED],
  application_changed: [markText("The application was changed meanwhile"), CHANGED],
  oauth_app_fixed: [
    markText("The operator sets this OAuth2 app"),
    markText("Change the setting OAUTH_APPS, or choose another id."),
  ],
  not_followed: [
    markText("The mailbox is not watched"),
    markText("Create a webhook endpoint that reaches the mailbox."),
  ],
  feed_expired: [markText("Events after this position are no longer kept"), markText("Events are kept for 14 days.")],
  payload_too_large: [markText("The request body is too large"), markText("Send less, such as smaller files.")],
  storage_exceeded: [
    markText("The drafts of the account have too many files"),
    markText("Remove files from drafts, or send or delete drafts."),
  ],
  unsupported_media_type: [markText("The media type of the body is not supported"), RELOAD],
  range_not_satisfiable: [markText("The range begins after the last byte"), RELOAD],
  automatic_message: [
    markText("A program wrote the message that is answered"),
    markText("Nothing was sent. Do not answer such messages by program."),
  ],
  idempotency_key_reused: [markText("This Idempotency-Key was used for another request"), RELOAD],
  replay_too_old: [markText("Events are kept for 14 days only"), markText("Choose a later time.")],
  credential_required: [
    markText("These servers need a new credential"),
    markText("Give the password too, or let the user consent again. Nothing was stored."),
  ],
  account_unverified: [
    markText("The mail servers did not accept the account"),
    markText("Nothing was stored. For each server it is said why, and what to do."),
  ],
  grant_refused: [markText("The provider refuses the grant"), markText("Let the user consent again.")],
  other_user_consented: [
    markText("Another user consented"),
    markText("Let the same user consent, or delete the account first."),
  ],
  oauth_app_refused: [
    markText("The provider refuses the OAuth2 app"),
    markText("The operator of this service has to correct the app."),
  ],
  if_match_required: [markText("The request does not say which version it replaces"), RELOAD],
  too_many_attempts: [markText("Too many sign-ins have failed"), markText("Sign in again in some minutes.")],
  too_many_wrong_keys: [
    markText("Too many wrong keys came from this network"),
    markText("Check the key: the right one is accepted at once."),
  ],
  too_many_requests: [markText("Too many requests of this account or key are in progress"), AGAIN],
  send_rate_exceeded: [
    markText("This account has reached its sending rate"),
    markText("The message was not sent. Send it again later."),
  ],
  internal_error: [
    markText("The service failed"),
    markText("This is a fault of the service. Report the request id to its operator."),
  ],
  send_outcome_unknown: [
    markText("It is not known whether the mail server accepted the message"),
    markText("Look in the Sent folder, or ask the recipient, before you send it again."),
  ],
  mail_server_unreachable: [markText("The mail server cannot be reached"), AGAIN],
  mail_server_untrusted: [
    markText("The certificate of the mail server is not trusted"),
    markText("The operator of the mail server has to renew the certificate."),
  ],
  mail_server_busy: [markText("The mail server is too busy to answer"), AGAIN],
  mail_server_flood: [
    markText("The mail server sent far more than it was asked for"),
    markText("Try again later. If it goes on, have the mail server of the account checked."),
  ],
  mail_server_fault: [
    markText("The mail server refused a valid command"),
    markText("Try again. If that fails too, report the request id to the operator of this service."),
  ],
  sign_in_unclear: [
    markText("The mail server refused the sign-in without saying why"),
    markText("Try again in a minute: the mail server may be at fault, or the password may have changed."),
  ],
  smtp_auth_failed: [
    markText("The SMTP server does not accept the account's password or token"),
    markText("Nothing was sent. Sign in again with the current password, then send again."),
  ],
  unsubscribe_failed: [
    markText("The list did not accept the request to unsubscribe"),
    markText("Open the page of the list in a browser instead."),
  ],
  not_ready: [markText("The service is not ready for requests"), AGAIN],
  overloaded: [markText("Too many requests are in progress"), AGAIN],
  database_unavailable: [markText("The database of the service does not answer"), AGAIN],
  send_unconfirmed: [
    markText("It is not known whether the message was accepted; look for it in the outbox"),
    markText("Look for the message in the outbox before you send it again."),
  ],
  oauth_provider_unavailable: [markText("The OAuth2 provider is unavailable"), AGAIN],
  credential_unreadable: [
    markText("The stored credential cannot be decrypted"),
    markText("The operator of this service has to give each process the key."),
  ],
  listing_not_ready: [markText("Messages of the folder are not recorded yet"), AGAIN],
  mail_server_timeout: [
    markText("The mail server did not answer in time"),
    markText("Try again. Before you repeat a change, check whether it was made."),
  ],
  mailbox_full: [
    markText("The mailbox has no room left"),
    markText("Delete messages or have the quota raised, then try again."),
  ],
  request_timeout: [markText("The request did not arrive in time"), markText("Try again, over a faster connection.")],
  expectation_failed: [markText("This expectation cannot be met"), RELOAD],
  headers_too_large: [markText("The header fields are too large"), RELOAD],
};

/** Why an account is not active, by the codes of the reasons. */
export const REASONS: Readonly<Record<Reason["code"], Text>> = {
  not_found: markText("The host name does not exist. Check its spelling."),
  address_denied: markText(
    "The host or the port is not allowed. Use ports 143, 993, 465 or 587 of a public address, or add the network to MAIL_ALLOWED_NETWORKS.",
  ),
  refused: markText("The server refused the connection. Check the port, and that the server is running."),
  timeout: markText("The server did not answer in time. Check the host, the port and any firewall between."),
  tls_failed: markText("The TLS handshake failed. Check that the port expects the chosen kind of encryption."),
  certificate_untrusted: markText(
    "The server's certificate is not trusted. Install a valid one, pin it with certificateSha256, or trust its authority with MAIL_TLS_CA_FILE.",
  ),
  starttls_missing: markText("The server does not offer STARTTLS. Use security tls, or enable STARTTLS at the server."),
  not_a_mail_server: markText("Another kind of server answered. Check the host and the port."),
  too_many_connections: markText(
    "The server accepts no more connections from this account. Close other mail clients and try again later.",
  ),
  unavailable: markText("The server reported a temporary fault or limit. It is tried again by itself."),
  auth_refused: markText(
    "The server refused the user name or the password. Check both, and whether the provider wants an app password.",
  ),
  app_password_required: markText(
    "The provider requires an app password. Create one in the account's security settings and use it here.",
  ),
  oauth_required: markText("The server accepts no passwords. Connect the account with OAuth2."),
  basic_auth_disabled: markText("The provider has disabled sign-in with passwords. Connect the account with OAuth2."),
  imap_disabled: markText("IMAP access is disabled for this account. Enable it in the provider's settings."),
  server_flood: markText(
    "The server sent far more than it was asked for, so the connection was closed. Check the host, and try again later.",
  ),
  protocol: markText("The server's answer does not follow the protocol. Check the host and the port."),
  grant_revoked: markText("The provider withdrew the consent. Connect the account again."),
  password_changed: markText("The password was changed, which ended the consent. Connect the account again."),
  grant_expired: markText(
    "The consent expired, because it was not used for a long time or by a rule. Connect the account again.",
  ),
  mfa_required: markText("The provider asks for another proof of identity. Connect the account again."),
  consent_required: markText("The consent is missing or no longer covers the mailbox. Connect the account again."),
  token_lost: markText(
    "A refresh of the access token was interrupted, and the provider accepts no repeat. Connect the account again.",
  ),
  token_refused: markText(
    "The mail server refuses new access tokens too. Check that IMAP is enabled, and connect the account again.",
  ),
  app_misconfigured: markText(
    "The provider refuses the OAuth2 app of this account. Its operator has to correct the app.",
  ),
  provider_unavailable: markText("The OAuth2 provider issues no access token now. It is asked again by itself."),
  sign_in_unclear: markText(
    "The mail server refused the sign-in without saying why. It is tried again by itself; a refusal a minute later counts as a refused password or token.",
  ),
};

/** What the service says of fields that the console fills in, with `{n}` for a number. */
export const FAULTS: ReadonlyArray<Text> = [
  markText("is required"),
  markText("is missing"),
  markText("is not valid"),
  markText("must not be empty"),
  markText("must be one line"),
  markText("must be at most {n} characters"),
  markText("must have at most {n} characters"),
  markText("must have at most {n} recipients, with cc and bcc"),
  markText("must have at most {n} tags"),
  markText("must name a recipient"),
  markText("must be an e-mail address"),
  markText("must be an e-mail address without a name"),
  markText("must not contain control characters"),
  markText("must not contain * or %"),
  markText("must be within a year"),
  markText("must be in the future"),
  markText("must be later than since"),
  markText("must be an absolute https:// URL"),
  markText("must begin with https:// (http:// is for addresses in WEBHOOK_ALLOWED_NETWORKS only)"),
  markText("must not contain a user name or password"),
  markText(
    "must name a public host, not a single-label, .local, .internal or .localhost name; for a private receiver give its address, which WEBHOOK_ALLOWED_NETWORKS must list",
  ),
  markText("must not resolve to a private or reserved address, unless WEBHOOK_ALLOWED_NETWORKS lists it"),
  markText("names a host that does not exist"),
  markText("must be a port number from 1 to 65535"),
  markText("must be a SHA-256 fingerprint: 64 hexadecimal digits, with or without colons"),
  markText("must have no spaces, commas or colons"),
  markText("must be an address or a block (CIDR)"),
  markText("must be the id of an account, *@ and a domain, or tag: and a tag"),
  markText("must be thread, an address, or @ and a domain"),
  markText("must be an https address"),
  markText("must be an https address, or http to this machine"),
  markText("must be 1 to 63 letters, digits, - or _"),
  markText("must be 1 to 63 characters"),
  markText("must be a domain or the id of a tenant"),
  markText("must be domains"),
  markText("cannot be chosen for this address"),
];
