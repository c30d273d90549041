import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PosternService } from "@postern/server/effect";
import { Effect, Layer, Logger, type Scope } from "effect";
import { HttpEffect, type HttpServerRequest } from "effect/http";
import { expect, it, onTestFinished } from "vitest";
import { uploadsInSqlite } from "../UploadsInSqlite.ts";

const service = Effect.gen(function* () {
  const { app } = yield* PosternService;
  const context = yield* Effect.context<Scope.Scope>();
  const answer = HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(context)(app);
  const post = async (path: string, body: BodyInit, headers: Record<string, string>) =>
    (await answer(new Request(`http://127.0.0.1:3000${path}`, { method: "POST", headers, body }))).json();
  return yield* Effect.promise(async () => {
    const login = JSON.stringify({ email: "demo@postern.test", password: "demo" });
    const { token } = await post("/api/auth/mobile-login", login, { "content-type": "application/json" });
    const form = new FormData();
    form.append("file", new File(["The report."], "report.txt", { type: "text/plain" }));
    return post("/api/uploads", form, { authorization: `Bearer ${token}` });
  });
});

it("the service keeps a file that its API takes in this store", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "store-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const file = join(dataDir, "uploads.db");
  const layer = Layer.merge(PosternService.layer({ dataDir, sandbox: true }, uploadsInSqlite(file)), Logger.layer([]));
  const { data } = await Effect.runPromise(Effect.scoped(Effect.provide(service, layer)));
  expect(data).toMatchObject({ name: "report.txt", size: 11 });
  const [, part] = new DatabaseSync(file).prepare("SELECT bytes FROM parts WHERE upload = ? ORDER BY n").all(data.id);
  expect(Buffer.from(part!.bytes as Uint8Array).toString()).toBe("The report.");
}, 30_000);
