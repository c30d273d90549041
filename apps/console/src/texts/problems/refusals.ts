import { markText } from "../mark-text.ts";
import { NOT_SENT, OTHER_KEY, RELOAD } from "./advice.ts";

/** The texts of problems about requests that are wrong or not permitted. */
export const REFUSALS = {
  invalid_request: [markText("The request is not valid"), markText("Correct the fields that are named.")],
  two_credentials: [markText("Send a bearer token or the session cookie, not both"), RELOAD],
  account_required: [markText("The request names no account"), RELOAD],
  ambiguous_folder: [
    markText("The folder name is ambiguous"),
    markText("Several folders have this name. Choose one of them in the list."),
  ],
  folder_not_selectable: [
    markText("The folder cannot contain messages"),
    markText("The folder contains only other folders. Choose one of those."),
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
} as const;
