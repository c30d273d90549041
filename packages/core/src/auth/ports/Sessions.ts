import { Context, type Effect, type Option } from "effect";
import type { StoreUnavailable } from "../../shared/StoreUnavailable.ts";
import type { Session } from "../Session.ts";

/** Where sessions are kept (decisions 3). */
export class Sessions extends Context.Service<
  Sessions,
  {
    readonly insert: (session: Session) => Effect.Effect<void, StoreUnavailable>;
    readonly find: (id: string) => Effect.Effect<Option.Option<Session>, StoreUnavailable>;
  }
>()("@postern/core/auth/Sessions") {}
