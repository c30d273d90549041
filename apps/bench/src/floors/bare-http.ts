import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer";
import * as NodeRuntime from "@effect/platform-node/NodeRuntime";
import { Effect, Layer, Schema } from "effect";
import { HttpRouter, HttpServerResponse } from "effect/http";
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api";

const Answer = Schema.Struct({ ok: Schema.Literal(true), data: Schema.Struct({ pages: Schema.Int }) });
const answer = { ok: true, data: { pages: 200 } } as const;
const body = JSON.stringify(answer);

class BareApi extends HttpApi.make("bare").add(
  HttpApiGroup.make("bare").add(
    HttpApiEndpoint.get("schema", "/schema", { success: Answer }),
    HttpApiEndpoint.get("bytes", "/bytes", { success: Answer }),
  ),
) {}

const Handlers = HttpApiBuilder.group(BareApi, "bare", (handlers) =>
  handlers.handleAll({
    schema: () => Effect.succeed(answer),
    bytes: () => Effect.succeed(HttpServerResponse.text(body, { contentType: "application/json" })),
  }),
);

/** Serves Node's bare http and a bare route of the framework; answers each job with their ports. */
const bare = createServer((_, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
  response.end(body);
}).listen(0, "127.0.0.1");

const framework = createServer();

HttpRouter.serve(HttpApiBuilder.layer(BareApi).pipe(Layer.provide(Handlers)), {
  disableLogger: true,
  disableListenLog: true,
}).pipe(
  Layer.provide(NodeHttpServer.layer(() => framework, { host: "127.0.0.1", port: 0 })),
  Layer.launch,
  NodeRuntime.runMain,
);

const listening = Promise.all([bare, framework].map((server) => once(server, "listening")));

const portOf = (server: Server) => (server.address() as AddressInfo).port;
const ports = () => process.send?.({ bareHttp: portOf(bare), httpApi: portOf(framework) });
process.on("message", () => void listening.then(ports));
process.on("disconnect", () => process.exit());

/** The ports of the two servers. */
export interface BareHttpAnswer {
  readonly bareHttp: number;
  readonly httpApi: number;
}
