import { type DeliveryOutcome, WebhookSender } from "@postern/core/webhooks";
import { Duration, Effect, Layer } from "effect";
import { ReceiversInMemory } from "./ReceiversInMemory.ts";

const KEPT_BYTES = 4096;
const NOTHING = { status: null, errorCode: null, ms: 0, excerpt: "", remoteIp: null, retryAfter: null };

/** Sends webhooks to scripted receivers. An exchange takes no time, its scripted delay, or `timeout` if the receiver is silent. */
export const layer = (options: { readonly timeout: Duration.Input } = { timeout: "15 seconds" }) =>
  Layer.effect(
    WebhookSender,
    Effect.gen(function* () {
      const receivers = yield* ReceiversInMemory;

      const send = Effect.fnUntraced(function* (post: Parameters<WebhookSender["Service"]["send"]>[0]) {
        const receiver = receivers.get(post.url);
        if (receiver === undefined) return outcome({ errorCode: "nxdomain" });
        const reply = receiver.reply(post);
        // An informational response must be followed by a final one, but none follows here.
        if (reply === "silence" || (reply.status ?? 200) < 200) {
          yield* Effect.sleep(options.timeout);
          return outcome({ errorCode: "timeout", ms: Duration.toMillis(options.timeout) });
        }
        if ("errorCode" in reply) return outcome({ status: reply.status ?? null, errorCode: reply.errorCode });
        const { status, body = new Uint8Array(), retryAfter = null, afterMillis: ms = 0 } = reply;
        if (ms > 0) yield* Effect.sleep(ms);
        return outcome({ status, ms, excerpt: excerptOf(body), remoteIp: "127.0.0.1", retryAfter });
      });

      return WebhookSender.of({ send });
    }),
  );

const outcome = (known: Partial<DeliveryOutcome>): DeliveryOutcome => ({ ...NOTHING, ...known });

const excerptOf = (body: Uint8Array): string =>
  new TextDecoder()
    .decode(body.subarray(0, KEPT_BYTES), { stream: body.length > KEPT_BYTES })
    .replaceAll("\0", "\uFFFD");
