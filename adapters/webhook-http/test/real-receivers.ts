import type { IncomingMessage, ServerResponse } from "node:http";
import { type ReceivedPost, type ReceiverAct, WebhookReceivers } from "@postern/testkit";
import { Effect, Layer, Scope } from "effect";
import { layer, type WebhookHttpOptions } from "../src/index.ts";
import { dnsServer } from "./dns-server.ts";
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
      const dns = yield* dnsServer;
      dns.names.set("hooks.example.com", ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"]);
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
        layer({ allowedNetworks: ["127.0.0.0/8"], nameServers: [dns.address], ...options }),
      );
    }),
  );
