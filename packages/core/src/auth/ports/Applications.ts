import { Context, type Effect, type Option } from "effect";
import type { StoreUnavailable } from "../../shared/index.ts";
import type { Application } from "../Application.ts";

/** The store of applications. An application exists as long as it has a key. */
export class Applications extends Context.Service<
  Applications,
  {
    /** Lists up to `limit` applications after this name, ordered by name; the store defines the collation. */
    readonly list: (after: string, limit: number) => Effect.Effect<ReadonlyArray<Application>, StoreUnavailable>;
    readonly find: (name: string) => Effect.Effect<Option.Option<Application>, StoreUnavailable>;
    /**
     * Replaces the operator's profile of an application by the result of `decide`, and returns that result; undefined
     * changes nothing. Concurrent changes wait. None if the application does not exist.
     */
    readonly change: (
      name: string,
      decide: (known: Application) => Application | undefined,
    ) => Effect.Effect<Option.Option<Application | undefined>, StoreUnavailable>;
    /** Deletes the operator's profile of an application. */
    readonly forget: (name: string) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/auth/ports/Applications") {}
