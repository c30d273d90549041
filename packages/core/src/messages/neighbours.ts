/** Exports for other domains of the core alone; `index.ts` has those for all packages. */

// Records and rules
export { chooseBodies } from "./choose-bodies.ts";
export type { InboxRequest } from "./InboxPage.ts";
export { messages } from "./module.ts";
export { answerFields, type AnswerFields, firstAndLatest } from "./related-ids.ts";
