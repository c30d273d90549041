import { Context, type Effect } from "effect";
import type { EndpointUrlRefused } from "../errors.ts";

/** Says whether a URL may be an endpoint (spec 7); the sender asks the same again at every attempt. */
export class EndpointPolicy extends Context.Service<
  EndpointPolicy,
  {
    /** A name that cannot be looked up now passes; one that does not exist is refused. */
    readonly check: (url: string) => Effect.Effect<void, EndpointUrlRefused>;
  }
>()("@postern/core/webhooks/ports/EndpointPolicy") {}
