export { codeCoverage } from "./code-coverage.ts";
export { type FuzzedReader, MAX_TURN_MILLIS } from "./FuzzedReader.ts";
export { type FuzzResult, fuzzReader } from "./fuzz-reader.ts";
export { speaking, TURN_END } from "./speaking.ts";
