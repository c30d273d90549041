import { Context, type Effect } from "effect";

/** Whether this process takes requests now (decisions 8): false while it starts, stops or lacks its database. */
export class Readiness extends Context.Service<Readiness, { readonly isReady: Effect.Effect<boolean> }>()(
  "@postern/http-api/Readiness",
) {}
