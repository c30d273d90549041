// Ports
export { ParseJobs } from "./ports/ParseJobs.ts";

// Records and rules
export { isCandidate } from "./candidate.ts";
export { parseJobJson } from "./parse-job-json.ts";
export { newParseJob, type ParseJob } from "./ParseJob.ts";
export { recognise } from "./recognise.ts";
export type { Report } from "./Report.ts";
