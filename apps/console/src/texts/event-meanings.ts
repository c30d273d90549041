import { markText, type Text } from "./text.ts";

/** The occasions of the events of each type, in the English of the service. */
export const EVENT_MEANINGS: Readonly<Record<string, Text>> = {
  "email.received": markText("A new message arrived."),
  "email.sent": markText("A message was accepted by the mail server for at least one recipient."),
  "email.bounced": markText("Delivery to a recipient failed permanently."),
  "email.delayed": markText("Delivery to a recipient is late and continues."),
  "email.opened": markText("A recipient opened a message sent with trackOpens."),
  "email.failed": markText("A message was not sent, or it is not known whether it was (state unknown)."),
  "email.complained": markText("A recipient reported a message as spam."),
  "email.moved": markText("A message moved to another folder; its id stays. Only in accounts that follow all folders."),
  "email.deleted": markText(
    "A message left its folder: it was deleted, or moved to a folder that the receiver does not follow.",
  ),
  "draft.changed": markText("A draft was saved or removed. Only in accounts that follow all folders."),
  "email.flags_changed": markText(
    "A message was marked as read, flagged, answered or labelled, or a mark was removed.",
  ),
  "folder.created": markText("A folder was created."),
  "folder.renamed": markText("A folder was renamed or moved; its id stays."),
  "folder.deleted": markText("A folder was deleted."),
  "folder.delete_failed": markText("A folder could not be deleted for 24 hours and was restored."),
  "account.auth_failed": markText(
    "The mail server no longer accepts the password or token of the account, or the credential was erased after the last session.",
  ),
  "account.added": markText("An account is managed from now on."),
  "account.removed": markText("An account was removed."),
  "account.recovered": markText("The mail server accepts the account's credential again."),
  "account.servers_changed": markText("The account moved to other mail servers."),
  "webhook.disabled": markText(
    "An endpoint was disabled: its deliveries are held until it is enabled and they are replayed.",
  ),
  "webhook.test": markText("A test of the endpoint was requested."),
  "approval.requested": markText("An agent asks a person to approve the sending of a draft."),
  "approval.decided": markText(
    "An approval was approved, denied or withdrawn, expired, or became stale because the draft changed.",
  ),
};
