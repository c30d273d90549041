import type { WebhookPost } from "@postern/core/webhooks";
import { harness } from "@postern/harness";
import type { ReceiverReply } from "@postern/memory";
import { Effect } from "effect";
import { call, signIn } from "./call.ts";

export const PATH = "/api/settings/webhooks";
export const URL_A = "https://a.example.com/hook";
export const URL_B = "https://b.example.com/hook";

/** The service with a receiver at each URL and a signed-in account. */
export const world = Effect.gen(function* () {
  const service = yield* harness;
  let token = (yield* signIn(service)).body.token as string;
  const received: Record<string, Array<WebhookPost>> = { [URL_A]: [], [URL_B]: [] };
  const reply: Record<string, ReceiverReply> = { [URL_A]: { status: 200 }, [URL_B]: { status: 200 } };
  for (const url of [URL_A, URL_B]) {
    service.receivers.set(url, {
      reply: (post) => {
        received[url]!.push(post);
        return reply[url]!;
      },
    });
  }
  const ask = (method: string, path: string, json?: unknown, headers: Readonly<Record<string, string>> = {}) =>
    call(service, method, path, { token, headers, ...(json === undefined ? {} : { json }) });
  const again = Effect.gen(function* () {
    token = (yield* signIn(service)).body.token as string;
  });
  const create = (fields: object = {}) =>
    Effect.map(ask("POST", PATH, { url: URL_A, events: ["email.sent"], ...fields }), ({ body }) => body.data);
  const send = (subject: string) => ask("POST", "/api/send", { to: "friend@postern.test", subject, text: "x" });
  const subjects = (url: string) =>
    received[url]!.map(({ body }) => JSON.parse(new TextDecoder().decode(body)).data.subject as string);
  return { service, ask, again, create, send, subjects, received, reply };
});
