import { Data } from "effect";

/** A request of the protocol that is answered with one of its errors, not with a problem (spec 13.4). */
export class RequestRefused extends Data.TaggedError("RequestRefused")<{
  readonly reason: "invalid" | "busy";
  readonly message: string;
}> {}
