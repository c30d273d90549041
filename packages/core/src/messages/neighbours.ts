/** What only other domains of the core use of this one, beside its `index.ts`. */

// Records and rules
export { chooseBodies } from "./choose-bodies.ts";
export { messages } from "./module.ts";
export { answerFields, type AnswerFields } from "./related-ids.ts";
