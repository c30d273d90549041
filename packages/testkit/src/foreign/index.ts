export { foreignActs } from "./foreign-acts.ts";
export { ForeignMail, foreignMessage, type ForeignServer } from "./ForeignMail.ts";
export { judgeFollowing, type Judgement, type MoveCounts, type ShownMessage } from "./judge-following.ts";
