import { Data } from "effect";

/** The error that the library, the fetch or a check of this adapter threw during a request to a provider. */
export class AskFailed extends Data.TaggedError("AskFailed")<{ readonly error: unknown }> {}
