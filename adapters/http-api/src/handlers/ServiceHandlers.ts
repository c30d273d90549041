import { PosternApi } from "@postern/api";
import { Tokens } from "@postern/core/auth";
import { DEFAULT_LIMIT, MAX_LIMIT } from "@postern/core/messages";
import { MessageSender } from "@postern/core/send";
import { MAX_ENDPOINTS, WebhookSettings } from "@postern/core/webhooks";
import { Effect } from "effect";
import { handlerGroup } from "./handler-group.ts";
import { refuse } from "../problems/answer.ts";
import { currentAccount } from "../auth/current-principal.ts";
import { MAX_REQUEST_BYTES } from "../edge/refusals.ts";
import { notReady } from "../problems/requests.ts";
import { Readiness } from "../edge/Readiness.ts";
import { RequestId } from "../wire/RequestId.ts";

/** Handlers of the service operations (spec 8). */
export const ServiceHandlers = handlerGroup(
  PosternApi,
  "service",
  Effect.fn(function* (handlers) {
    const tokens = yield* Tokens;
    const sending = yield* MessageSender;
    const webhooks = yield* WebhookSettings;
    const readiness = yield* Readiness;
    return handlers.handleAll({
      limits: () =>
        Effect.map(Effect.flatMap(currentAccount, sending.limits), ({ perMinute, perDay, ...sizes }) => ({
          ok: true as const,
          data: {
            defaultPageSize: DEFAULT_LIMIT,
            maxPageSize: MAX_LIMIT,
            maxRequestBytes: MAX_REQUEST_BYTES,
            ...sizes,
            sendPerMinute: perMinute,
            sendPerDay: perDay,
            maxWebhookEndpoints: MAX_ENDPOINTS,
            webhookRetryDelays: webhooks.ladder,
          },
        })),
      live: () => Effect.succeed({ ok: true as const, status: "live" }),
      ready: Effect.fnUntraced(function* () {
        const requestId = yield* RequestId;
        if (yield* readiness.isStopping) return yield* refuse(notReady(requestId));
        const unreachable = yield* readiness.unreachable;
        if (!(yield* readiness.hasDatabase)) return yield* refuse(notReady(requestId, ["database", ...unreachable]));
        const failing = yield* readiness.failing;
        const missingKeys = yield* readiness.missingKeys;
        return {
          ok: true as const,
          status: "ready",
          ...(unreachable.length === 0 ? {} : { unreachable }),
          ...(failing.length === 0 ? {} : { failing }),
          ...(missingKeys.length === 0 ? {} : { missingKeys }),
        };
      }),
      keys: () => Effect.succeed(tokens.publicKeys),
    });
  }),
);
