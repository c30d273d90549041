import { Context, type Effect } from "effect";
import type { EndpointUrlRefused } from "../errors.ts";

/** Checks whether a URL may be an endpoint (spec 7); the sender repeats the check at every attempt. */
export class EndpointPolicy extends Context.Service<
  EndpointPolicy,
  {
    /** Refuses a host name that does not exist; accepts a host name that cannot be resolved at the moment. */
    readonly check: (url: string) => Effect.Effect<void, EndpointUrlRefused>;
  }
>()("@postern/core/webhooks/ports/EndpointPolicy") {}
