import { assert, it } from "@effect/vitest";
import { ClientDocuments } from "@postern/core/assistants";
import {
  clientDocumentsContract,
  httpsSite,
  type HttpsSite,
  PublishedDocuments,
  scriptedGuard,
} from "@postern/testkit";
import { Effect, Layer } from "effect";
import { describe } from "vitest";
import { clientDocuments } from "../src/index.ts";

const HOST = "assistant.example";

const reader = ({ ca }: HttpsSite, addresses: ReadonlyArray<string> = ["127.0.0.1"]) =>
  Layer.provide(
    clientDocuments({ timeout: "2 seconds", tlsOptions: { ca } }),
    scriptedGuard(new Map([[HOST, addresses]])),
  );

const urlOf = ({ port }: HttpsSite, path = "/client.json") => `https://${HOST}:${port}${path}`;

clientDocumentsContract(
  "ClientDocuments over HTTPS",
  Layer.unwrap(
    Effect.map(httpsSite(HOST), (site) =>
      Layer.merge(
        reader(site),
        Layer.succeed(PublishedDocuments, {
          publish: (text) =>
            Effect.sync(() => {
              const path = `/${globalThis.crypto.randomUUID()}`;
              site.answer((request, response) => {
                if (request.url !== path) return void response.writeHead(404).end();
                response.writeHead(200, { "content-type": "application/json; charset=utf-8" }).end(text);
              });
              return urlOf(site, path);
            }),
        }),
      ),
    ),
  ),
);

describe("the document of a client", () => {
  it.effect("is not read from a redirect, a page, a long answer or a slow one [S13.3-17]", () =>
    Effect.gen(function* () {
      const site = yield* httpsSite(HOST);
      const json = { "content-type": "application/json" };
      for (const [answer, reason] of [
        [[302, { ...json, location: urlOf(site, "/other") }, "{}"], "HTTP 302"],
        [[200, { "content-type": "text/html" }, "{}"], "not JSON"],
        [[200, json, `"${"x".repeat(65 * 1024)}"`], "larger than 64 KiB"],
      ] as const) {
        site.answer((_, response) => void response.writeHead(answer[0], answer[1]).end(answer[2]));
        const read = Effect.flatMap(ClientDocuments, (documents) => documents.read(urlOf(site)));
        const error = yield* Effect.flip(Effect.provide(read, reader(site)));
        assert.include(error.reason, reason);
      }
      assert.isTrue(site.requests.every((request) => request.endsWith("/client.json")));
    }).pipe(Effect.scoped),
  );

  it.live("is abandoned at the time limit, and at most 8 are read at once", () =>
    Effect.gen(function* () {
      const site = yield* httpsSite(HOST);
      site.answer((_, response) => void response.writeHead(200, { "content-type": "application/json" }).write("{"));
      const read = (n: number) =>
        Effect.flip(Effect.flatMap(ClientDocuments, (documents) => documents.read(urlOf(site, `/${n}`))));
      const errors = yield* Effect.forEach([...Array(10).keys()], read, { concurrency: 10 }).pipe(
        Effect.provide(reader(site)),
      );
      assert.strictEqual(errors.filter(({ reason }) => reason.includes("too long")).length, 8);
      const busy = errors.filter(({ isBusy }) => isBusy);
      assert.strictEqual(busy.length, 2);
      assert.isTrue(busy.every(({ reason }) => reason.includes("too many")));
    }).pipe(Effect.scoped),
  );

  it.effect("is not requested at an address that the guard denies, nor over http [S13.3-17]", () =>
    Effect.gen(function* () {
      const site = yield* httpsSite(HOST);
      const read = (url: string) =>
        Effect.flatMap(ClientDocuments, (documents) => documents.read(url)).pipe(
          Effect.flip,
          Effect.provide(reader(site, ["10.0.0.1"])),
        );
      assert.include((yield* read(urlOf(site))).reason, "egress guard");
      assert.include((yield* read(`http://${HOST}:${site.port}/client.json`)).reason, "https");
      assert.strictEqual(site.connections(), 0);
    }).pipe(Effect.scoped),
  );
});
