import { Context, type Effect } from "effect";

/** Whether this process takes requests now (spec 8): false while it starts, stops or lacks its database. */
export class Readiness extends Context.Service<
  Readiness,
  {
    readonly isReady: Effect.Effect<boolean>;
    /** The names of the workers that could claim nothing for a minute. */
    readonly failing: Effect.Effect<ReadonlyArray<string>>;
    /** The names of the sealing keys that stored secrets need and this process lacks (spec 3.7). */
    readonly missingKeys: Effect.Effect<ReadonlyArray<string>>;
    /** Waits until the process stops; endless responses end then. */
    readonly stopping: Effect.Effect<void>;
  }
>()("@postern/http-api/Readiness") {}
