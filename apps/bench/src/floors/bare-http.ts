import { createServer } from "node:http";
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

/** Serves Node's bare http at `PORT` and a bare route of the framework at `PORT + 1`. */
const port = Number(process.argv[2]);

createServer((_, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
  response.end(body);
}).listen(port, "127.0.0.1");

HttpRouter.serve(HttpApiBuilder.layer(BareApi).pipe(Layer.provide(Handlers)), {
  disableLogger: true,
  disableListenLog: true,
}).pipe(
  Layer.provide(NodeHttpServer.layer(createServer, { host: "127.0.0.1", port: port + 1 })),
  Layer.launch,
  NodeRuntime.runMain,
);
