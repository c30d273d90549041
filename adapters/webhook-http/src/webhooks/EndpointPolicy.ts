import { EndpointPolicy, EndpointUrlRefused } from "@postern/core/webhooks";
import { Effect, Layer } from "effect";
import type { UrlCheck } from "../check-url.ts";

/** Checks a webhook URL when it is saved, with the rules used for every delivery (spec 7). */
export const layer = (checkUrl: UrlCheck): Layer.Layer<EndpointPolicy> =>
  Layer.succeed(EndpointPolicy, {
    check: Effect.fn("EndpointPolicy.check")((url: string) =>
      checkUrl(url).pipe(
        Effect.asVoid,
        Effect.catchTags({
          UrlRefused: ({ reason }) => Effect.fail(new EndpointUrlRefused({ reason })),
          HostUnresolved: ({ reason }) =>
            reason === "nxdomain" ? Effect.fail(new EndpointUrlRefused({ reason: "unknown_name" })) : Effect.void,
        }),
      ),
    ),
  });
