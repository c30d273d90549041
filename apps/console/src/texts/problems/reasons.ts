import type { ApiAnswer } from "@postern/client/browser";
import { markText, type Text } from "../mark-text.ts";

type Reason = NonNullable<ApiAnswer<"GET /api/account">["data"]["reason"]>;

/** The reasons why an account is not active, by code. */
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
