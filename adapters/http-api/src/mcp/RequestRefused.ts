import { Data } from "effect";

/** A request that is answered with an error of the protocol, not with a problem (spec 13.4). */
export class RequestRefused extends Data.TaggedError("RequestRefused")<{
  readonly reason: "invalid" | "busy";
  readonly message: string;
}> {}
