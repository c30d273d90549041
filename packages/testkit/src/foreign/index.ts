export { CopyingProgram } from "./CopyingProgram.ts";
export { foreignActs } from "./foreign-acts.ts";
export { ForeignMail, type ForeignMessage, foreignMessage, type ForeignServer } from "./ForeignMail.ts";
export { judgeFollowing, type Judgement } from "./judge-following.ts";
export { type ShownMessage, shownOf } from "./ShownMessage.ts";
