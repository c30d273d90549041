import { Context, type Effect } from "effect";

/**
 * The readiness of this process, and its unreachable dependencies (spec 8). The process accepts no requests while it
 * starts, stops or lacks its database.
 */
export class Readiness extends Context.Service<
  Readiness,
  {
    /** Whether the process is stopping. */
    readonly isStopping: Effect.Effect<boolean>;
    /** Whether the database answers. */
    readonly hasDatabase: Effect.Effect<boolean>;
    /** The mail servers of the deployment that cannot be reached; never those of an account. */
    readonly unreachable: Effect.Effect<ReadonlyArray<"imap" | "smtp">>;
    /** The names of the workers that could not claim anything for a minute. */
    readonly failing: Effect.Effect<ReadonlyArray<string>>;
    /** The names of the sealing keys that stored secrets need and this process lacks (spec 3.7). */
    readonly missingKeys: Effect.Effect<ReadonlyArray<string>>;
    /** Waits until the process stops; endless responses end then. */
    readonly stopping: Effect.Effect<void>;
  }
>()("@postern/http-api/Readiness") {}
