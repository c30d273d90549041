/** Exports for other domains of the core only; `index.ts` has the exports for all packages. */

// Records and rules
export { type PolicySendError, sendWithinPolicy } from "./agents/send-within-policy.ts";
export { recipientKey } from "./agents/judge-sending.ts";
export { sentMail, writtenBefore } from "./agents/written-to.ts";
export { type KeyedRequest, keyedRequest } from "./journal-message.ts";
export { dailyLimitOf, spendByKey } from "./send-quota.ts";
export { checkSend, checkSendKey } from "./check-send.ts";
export { parseMailbox, parseMailboxes } from "./addresses.ts";
export { markAnswered, originalMessages, readAnswered } from "./replies/answered-message.ts";
export { attachmentsGone, attachmentsOf, uploadStore } from "./uploads/attachments.ts";
export { carryFiles } from "./replies/carry-files.ts";
export { completeAnswer } from "./replies/answered-message.ts";
export { checkSize, encodedSize } from "./accept-message.ts";
export { LEASE, MAX_ATTACHMENTS, RENEW_EVERY } from "./limits.ts";
export type { MessageContents } from "./outgoing/MessageContents.ts";
export type { SendError } from "./MessageSender.ts";
export type { MessageToSend } from "./MessageToSend.ts";
export { send } from "./module.ts";
export { resume } from "./outgoing/outgoing-transitions.ts";
export { ownMail } from "./outgoing/own-mail.ts";
export { readSendRequest } from "./read-send-request.ts";
export { answerOf, receiptOf, type SendReceipt } from "./send-answer.ts";
export type { SendRequest } from "./SendRequest.ts";
export { storedContents, storedPerson } from "./outgoing/stored-contents.ts";
