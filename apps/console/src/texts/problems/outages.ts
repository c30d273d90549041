import { markText } from "../mark-text.ts";
import { AGAIN, RELOAD } from "./advice.ts";

/** The texts of problems about too many requests, and about faults of the service and of mail servers. */
export const OUTAGES = {
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
    markText("Try again later. If the fault remains, have the mail server of the account checked."),
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
} as const;
