import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PosternService } from "@postern/server/effect";
import { Effect, Layer, Logger, type Scope } from "effect";
import { HttpEffect, type HttpServerRequest } from "effect/http";
import { expect, it, onTestFinished } from "vitest";
import { httpMailTransport } from "../HttpMailTransport.ts";
import { addUser, api, takenByApi } from "./mail-api.ts";

const service = Effect.gen(function* () {
  const { app, start } = yield* PosternService;
  yield* start;
  const context = yield* Effect.context<Scope.Scope>();
  const answer = HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(context)(app);
  const post = async (path: string, body: unknown, token = "") => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const url = `http://127.0.0.1:3000${path}`;
    return (await answer(new Request(url, { method: "POST", headers, body: JSON.stringify(body) }))).json();
  };
  return yield* Effect.promise(async () => {
    const { token } = await post("/api/auth/mobile-login", { email: "demo@postern.test", password: "demo" });
    return post("/api/send", { to: "you@example.com", subject: "Hi", text: "Over HTTP." }, token);
  });
});

it("the service sends a message of its API by this transport", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "transport-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  addUser("demo@postern.test", "demo");
  const layer = Layer.merge(PosternService.layer({ dataDir, sandbox: true }, httpMailTransport(api)), Logger.layer([]));
  const receipt = await Effect.runPromise(Effect.scoped(Effect.provide(service, layer)));
  expect(receipt).toMatchObject({ status: "sent" });
  expect(takenByApi).toMatchObject([{ from: "demo@postern.test", recipients: ["you@example.com"] }]);
  expect(takenByApi[0]!.raw).toContain("Over HTTP.");
}, 30_000);
