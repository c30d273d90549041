import { contactRecordsContract } from "./contact-records-contract.ts";
import { idempotencyKeysContract } from "./idempotency-keys-contract.ts";
import { identityRecordsContract } from "./identity-records-contract.ts";
import { outgoingJournalContract } from "./outgoing-journal-contract.ts";
import { sendQuotasContract } from "./send-quotas-contract.ts";
import { trackedMessagesContract } from "./tracked-messages-contract.ts";
import { uploadContentsContract } from "./upload-contents-contract.ts";
import { uploadRecordsContract } from "./upload-records-contract.ts";

export * from "./mail-transport-contract.ts";
export { attachmentOf, composePlain } from "./composed-message.ts";
export * from "./message-composer-contract.ts";
export * from "./sent-folder-contract.ts";

/** The contracts of the stores of `send`, by port. */
export const sendStores = {
  ContactRecords: contactRecordsContract,
  IdempotencyKeys: idempotencyKeysContract,
  IdentityRecords: identityRecordsContract,
  OutgoingJournal: outgoingJournalContract,
  SendQuotas: sendQuotasContract,
  TrackedMessages: trackedMessagesContract,
  UploadContents: uploadContentsContract,
  UploadRecords: uploadRecordsContract,
};
