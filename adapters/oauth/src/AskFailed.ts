import { Data } from "effect";

/** The error that the library, the fetch or one of our own checks threw while a provider was asked. */
export class AskFailed extends Data.TaggedError("AskFailed")<{ readonly error: unknown }> {}
