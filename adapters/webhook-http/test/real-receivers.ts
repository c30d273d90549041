import type { IncomingMessage, ServerResponse } from "node:http";
import {
  PUBLIC_ADDRESSES,
  type ReceivedPost,
  type ReceiverAct,
  scriptedGuard,
  WebhookReceivers,
} from "@postern/testkit";
import { Effect, Layer, Scope } from "effect";
import { layer, type WebhookHttpOptions } from "../src/index.ts";
import { httpServer } from "./servers.ts";

const perform = (act: ReceiverAct, socket: IncomingMessage["socket"], response: ServerResponse): void => {
  if (act === "hang") return;
  if (act === "cut_before_headers") return void socket.resetAndDestroy();
  if (act === "cut_after_headers") {
    response.writeHead(200, { "content-length": "10" }).write("half");
    return void setTimeout(() => socket.resetAndDestroy(), 50);
  }
  if (act.status < 200) return void socket.write(`HTTP/1.1 ${act.status} Early\r\n\r\n`);
  if (act.location !== undefined) response.setHeader("location", act.location);
  if (act.retryAfterSeconds !== undefined) response.setHeader("retry-after", String(act.retryAfterSeconds));
  response.writeHead(act.status).end(act.body);
};

/** Receivers on loopback sockets, and a sender allowed to reach them. */
export const realReceivers = (options: WebhookHttpOptions = {}) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const scope = yield* Effect.scope;
      const receivers = WebhookReceivers.of({
        publicHost: "hooks.example.com",
        deadUrl: Effect.scoped(
          Effect.map(
            httpServer(() => {}),
            ({ port }) => `http://127.0.0.1:${port}/`,
          ),
        ),
        open: (...acts) => {
          const received: Array<ReceivedPost> = [];
          return httpServer((request, response) => {
            const pieces: Array<Buffer> = [];
            request.on("data", (piece) => pieces.push(piece));
            request.on("end", () => {
              received.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(pieces) });
              perform(acts[Math.min(received.length, acts.length) - 1]!, request.socket, response);
            });
          }).pipe(
            Scope.provide(scope),
            Effect.map(({ port }) => ({ url: `http://127.0.0.1:${port}/in`, received: Effect.sync(() => received) })),
          );
        },
      });
      return Layer.merge(
        Layer.succeed(WebhookReceivers, receivers),
        Layer.provide(
          layer({ allowHttp: true, ...options }),
          scriptedGuard(new Map([["hooks.example.com", PUBLIC_ADDRESSES]])),
        ),
      );
    }),
  );
