import { Context, type Effect } from "effect";
import type { StoreUnavailable } from "../../shared/StoreUnavailable.ts";
import type { DisabledNotice } from "../Endpoint.ts";

/** Tells owners by e-mail what happened to their endpoints (seed 3, decisions 7). */
export class OwnerNotices extends Context.Service<
  OwnerNotices,
  {
    /** Journals the e-mail inside the transaction of what it tells; once for (endpoint, generation). */
    readonly endpointDisabled: (notice: DisabledNotice) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/webhooks/OwnerNotices") {}
