// Use cases and workers
export { Contacts } from "./contacts/Contacts.ts";
export { Invitations } from "./invitations/Invitations.ts";
export { Identities } from "./identities/Identities.ts";
export { MessageSender, type SendError } from "./MessageSender.ts";
export { OpenTracker } from "./opens/OpenTracker.ts";
export { Outbox } from "./outgoing/Outbox.ts";
export { OutgoingAttempts } from "./outgoing/OutgoingAttempts.ts";
export { SendSettings } from "./SendSettings.ts";
export { Uploads } from "./uploads/Uploads.ts";

// Ports
export { ContactRecords } from "./ports/ContactRecords.ts";
export { IdempotencyKeys, type IdempotencyRecord } from "./ports/IdempotencyKeys.ts";
export { IdentityRecords } from "./ports/IdentityRecords.ts";
export { MailTransport, type Submission } from "./ports/MailTransport.ts";
export { type Composition, MessageComposer } from "./ports/MessageComposer.ts";
export { type JournalEntry, OutgoingJournal } from "./ports/OutgoingJournal.ts";
export { SendQuotas } from "./ports/SendQuotas.ts";
export { SentFolder } from "./ports/SentFolder.ts";
export { TrackedMessages } from "./ports/TrackedMessages.ts";
export { UploadContents } from "./ports/UploadContents.ts";
export { UploadRecords } from "./ports/UploadRecords.ts";

// Errors
export {
  KeySendRateExceeded,
  MessageTooLarge,
  OutgoingNotCancellable,
  OutgoingNotReleasable,
  OutgoingNotWaiting,
  RecipientRefused,
  SenderRefused,
  SendInProgress,
  SendOutcomeUnknown,
  SendRateExceeded,
  SendUnconfirmed,
  SmtpAuthRefused,
  UploadMalformed,
  UploadTooLarge,
} from "./errors.ts";

// Records and rules
export { needsSmtpUtf8 } from "./addresses.ts";
export { uploadUrl } from "./uploads/attachments.ts";
export { replyStatus, replyText } from "./outgoing/outgoing-state.ts";
export type { AttemptOutcome, RecipientReplies } from "./outgoing/AttemptOutcome.ts";
export { withdraw } from "./outgoing/holds.ts";
export type { Contact, SentScan } from "./contacts/Contact.ts";
export type { Identity, IdentityRecord } from "./identities/Identity.ts";
export { DRAFT_HEADER, MAX_IN_FLIGHT_PER_ACCOUNT } from "./limits.ts";
export { MAIL_RETRIES } from "./outgoing/mail-retries.ts";
export type { TrackedMessage } from "./opens/opens.ts";
export { dueAt, nextAttemptAt, ordersFor, stateOf } from "./outgoing/outgoing-state.ts";
export type { OutgoingAttachment, OutgoingContents } from "./outgoing/OutgoingContents.ts";
export type { FailureReason, OutgoingMessage, SmtpReply } from "./outgoing/OutgoingMessage.ts";
export type { SendAnswer, SendReceipt } from "./send-answer.ts";
export { type SendingKey, sendingKeyOf, type SendQuota, type SendRates, UNUSED_QUOTA } from "./send-quota.ts";
export { SENDER_ALIASES, type SenderPolicy, senderPolicyOf } from "./identities/choose-sender.ts";
export { identityRecordJson } from "./identities/identity-record-json.ts";
export { outgoingJson } from "./outgoing/stored-records.ts";
export type { IncomingFile, Upload } from "./uploads/Upload.ts";
export { verificationPath } from "./identities/verification-mail.ts";
