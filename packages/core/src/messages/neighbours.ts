/** Exports for other domains of the core only; `index.ts` has the exports for all packages. */

// Errors
export { UnsubscribeNotOffered } from "./errors.ts";

// Records and rules
export { chooseBodies } from "./choose-bodies.ts";
export type { InboxRequest } from "./InboxPage.ts";
export { mailOfUrl } from "./lists/mail-of-url.ts";
export type { UnsubscribeWay } from "./lists/unsubscribe-way.ts";
export { messages } from "./module.ts";
export { answerFields, type AnswerFields, firstAndLatest } from "./related-ids.ts";
