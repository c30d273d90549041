import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "@effect/vitest";
import { MailTransport } from "@postern/core/send";
import { AccountId } from "@postern/core/shared";
import { Folders } from "@postern/core/folders";
import { PosternService, RequestAuthority } from "@postern/server/effect";
import { Effect, Layer, Logger, type Scope } from "effect";
import { HttpEffect, type HttpServerRequest } from "effect/http";
import { expect } from "vitest";

const DEMO = AccountId("demo@postern.test");

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "effect-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true })),
);

it.live("the layer provides the use cases over a transport and an authority of the program", () =>
  Effect.gen(function* () {
    const dataDir = yield* folder;
    const sent: Array<ReadonlyArray<string>> = [];
    const transport = Layer.succeed(MailTransport, {
      maxMessageBytes: () => Effect.succeedNone,
      deliver: (_, { recipients }, beforeDot) =>
        Effect.map(
          beforeDot(new Map(recipients.map((one) => [one, { code: 250, enhanced: "2.1.5", text: "ok" }]))),
          () => {
            sent.push(recipients);
            return { _tag: "Answered", reply: { code: 250, enhanced: "2.0.0", text: "taken" } };
          },
        ),
    });
    yield* Effect.gen(function* () {
      const { app, start } = yield* PosternService;
      yield* start;
      const context = yield* Effect.context<Scope.Scope>();
      const answer = HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(context)(
        Effect.provideService(app, RequestAuthority, () => Effect.succeed(DEMO)),
      );
      const post = (path: string, body: unknown) =>
        Effect.promise(() =>
          answer(
            new Request(`http://127.0.0.1:3000${path}`, {
              method: "POST",
              headers: { "content-type": "application/json" },
              body: JSON.stringify(body),
            }),
          ),
        );
      expect((yield* post("/api/auth/mobile-login", { email: DEMO, password: "demo" })).status).toBe(200);
      expect((yield* (yield* Folders).list(DEMO)).length).toBeGreaterThan(0);
      const mail = { to: "you@elsewhere.test", subject: "Hi", text: "Hi." };
      const receipt = yield* Effect.flatMap(post("/api/send", mail), (response) =>
        Effect.promise(() => response.json()),
      );
      expect(receipt).toMatchObject({ status: "sent" });
      expect(sent).toEqual([["you@elsewhere.test"]]);
    }).pipe(
      Effect.scoped,
      Effect.provide([PosternService.layer({ dataDir, sandbox: true }, transport), Logger.layer([])]),
    );
  }),
);
