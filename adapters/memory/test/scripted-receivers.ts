import { type ReceiverReply, ReceiversInMemory } from "@postern/memory";
import { type ReceivedPost, type ReceiverAct, WebhookReceivers } from "@postern/testkit";
import { Effect, Layer } from "effect";

const replyOf = (act: ReceiverAct): ReceiverReply => {
  if (act === "hang") return "silence";
  if (act === "cut_before_headers") return { errorCode: "reset_before_headers" };
  if (act === "cut_after_headers") return { errorCode: "reset_after_headers", status: 200 };
  const { status, body = "", retryAfterSeconds } = act;
  return {
    status,
    body: typeof body === "string" ? new TextEncoder().encode(body) : body,
    ...(retryAfterSeconds === undefined ? {} : { retryAfter: retryAfterSeconds * 1000 }),
  };
};

/** The receivers in memory, scripted by the contract. */
export const ScriptedReceivers = Layer.effect(
  WebhookReceivers,
  Effect.map(ReceiversInMemory, (receivers) => {
    let opened = 0;
    return {
      publicHost: "hooks.example.com",
      deadUrl: Effect.sync(() => {
        receivers.set("https://dead.example.com/", { reply: () => ({ errorCode: "refused" }) });
        return "https://dead.example.com/";
      }),
      open: (...acts) =>
        Effect.sync(() => {
          const url = `http://receiver-${++opened}.example.com/in`;
          const received: Array<ReceivedPost> = [];
          receivers.set(url, {
            reply: ({ headers, body }) => {
              const fields = Object.entries(headers).map(([field, value]) => [field.toLowerCase(), value]);
              received.push({ headers: Object.fromEntries(fields), body });
              return replyOf(acts[Math.min(received.length, acts.length) - 1]!);
            },
          });
          return { url, received: Effect.sync(() => received) };
        }),
    };
  }),
);
