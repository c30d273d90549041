import { markText } from "../mark-text.ts";
import { AGAIN, CHANGED, GONE, NOT_SENT, RELOAD } from "./advice.ts";

/** The texts of problems about missing items and about conflicts with existing items. */
export const CONFLICTS = {
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
    markText("Nothing was sent: the message does not say how to leave its list."),
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
    markText("Change the existing identity. To get another mail with a link, delete the identity and add it again."),
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
    markText("Nothing was stored. For each server, the reason and what to do are shown."),
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
} as const;
