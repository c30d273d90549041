/** What only other domains of the core use of this one, beside its `index.ts`. */

// Records and rules
export { parseMailbox, parseMailboxes } from "./addresses.ts";
export { originalMessages, readAnswered } from "./answered-message.ts";
export { attachmentsGone, attachmentsOf, uploadStore } from "./attachments.ts";
export { carryFiles } from "./carry-files.ts";
export { completeAnswer } from "./complete-answer.ts";
export { checkSize, encodedSize } from "./encoded-size.ts";
export { LEASE, RENEW_EVERY } from "./limits.ts";
export type { MessageContents } from "./MessageContents.ts";
export type { SendError } from "./MessageSender.ts";
export type { MessageToSend } from "./MessageToSend.ts";
export { send } from "./module.ts";
export { ownMail } from "./own-mail.ts";
export { readSendRequest } from "./read-send-request.ts";
export { answerOf, receiptOf, type SendReceipt } from "./send-answer.ts";
export type { SendRequest } from "./SendRequest.ts";
export { storedContents, storedPerson } from "./stored-contents.ts";
