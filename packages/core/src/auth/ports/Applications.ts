import { Context, type Effect, type Option } from "effect";
import type { StoreUnavailable } from "../../shared/index.ts";
import type { Application } from "../Application.ts";

/** The store of applications. One exists as long as it has a key. */
export class Applications extends Context.Service<
  Applications,
  {
    /** Up to `limit` applications after the one of this name, by name, in an order of the store. */
    readonly list: (after: string, limit: number) => Effect.Effect<ReadonlyArray<Application>, StoreUnavailable>;
    readonly find: (name: string) => Effect.Effect<Option.Option<Application>, StoreUnavailable>;
    /**
     * Replaces the profile that the operator gave an application, and returns the result of the decision; undefined
     * changes nothing. No other change comes between reading and writing; none if there is no such application.
     */
    readonly change: (
      name: string,
      decide: (known: Application) => Application | undefined,
    ) => Effect.Effect<Option.Option<Application | undefined>, StoreUnavailable>;
    /** Deletes the profile that the operator gave an application. */
    readonly forget: (name: string) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/auth/ports/Applications") {}
