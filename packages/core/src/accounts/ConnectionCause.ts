import { Schema } from "effect";

/** Why a mail server could not be reached or refused a sign-in, in the order of the steps of a connection (spec 10.3). */
export const ConnectionCause = Schema.Literals([
  "not_found",
  "address_denied",
  "refused",
  "timeout",
  "tls_failed",
  "certificate_untrusted",
  "starttls_missing",
  "not_a_mail_server",
  "too_many_connections",
  "unavailable",
  "auth_refused",
  "app_password_required",
  "oauth_required",
  "basic_auth_disabled",
  "imap_disabled",
  "server_flood",
  "protocol",
]);
export type ConnectionCause = typeof ConnectionCause.Type;

/** The causes that a new credential fixes. All other causes are faults of the server or the network. */
export const CREDENTIAL_CAUSES: ReadonlySet<ConnectionCause> = new Set([
  "auth_refused",
  "app_password_required",
  "oauth_required",
  "basic_auth_disabled",
  "imap_disabled",
]);

const MESSAGES: { readonly [Cause in ConnectionCause]: string } = {
  not_found: "The host name does not exist. Check its spelling.",
  address_denied:
    "The host or the port is not allowed. Use ports 143, 993, 465 or 587 of a public address, or add the network to MAIL_ALLOWED_NETWORKS.",
  refused: "The server refused the connection. Check the port, and that the server is running.",
  timeout: "The server did not answer in time. Check the host, the port and any firewall between.",
  tls_failed: "The TLS handshake failed. Check that the port expects the chosen kind of encryption.",
  certificate_untrusted:
    "The server's certificate is not trusted. Install a valid one, pin it with certificateSha256, or trust its authority with MAIL_TLS_CA_FILE.",
  starttls_missing: "The server does not offer STARTTLS. Use security tls, or enable STARTTLS at the server.",
  not_a_mail_server: "Another kind of server answered. Check the host and the port.",
  too_many_connections:
    "The server accepts no more connections from this account. Close other mail clients and try again later.",
  unavailable: "The server reported a temporary fault or limit. It is tried again by itself.",
  auth_refused:
    "The server refused the user name or the password. Check both, and whether the provider wants an app password.",
  app_password_required:
    "The provider requires an app password. Create one in the account's security settings and use it here.",
  oauth_required: "The server accepts no passwords. Connect the account with OAuth2.",
  basic_auth_disabled: "The provider has disabled sign-in with passwords. Connect the account with OAuth2.",
  imap_disabled: "IMAP access is disabled for this account. Enable it in the provider's settings.",
  server_flood:
    "The server sent far more than it was asked for, so the connection was closed. Check the host, and try again later.",
  protocol: "The server's answer does not follow the protocol. Check the host and the port.",
};

/** Returns one sentence about a cause and what to do. */
export const causeMessage = (cause: ConnectionCause): string => MESSAGES[cause];
