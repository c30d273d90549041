export { codeCoverage } from "./code-coverage.ts";
export { type FuzzedReader, MAX_TURN_MILLIS } from "./FuzzedReader.ts";
export { type FuzzResult, fuzzReader } from "./fuzz-reader.ts";
export { scriptedSocket, TURN_END } from "./scripted-socket.ts";
