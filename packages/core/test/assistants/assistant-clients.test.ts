import { assert, it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { TestClock } from "effect/testing";
import { ClientDocumentUnavailable } from "../../src/assistants/errors.ts";
import { AssistantClientRecords } from "../../src/assistants/ports/AssistantClientRecords.ts";
import { AssistantClients } from "../../src/assistants/AssistantClients.ts";
import { ClientDocuments } from "../../src/assistants/ports/ClientDocuments.ts";
import { Creations } from "../../src/creations/index.ts";
import { noTransaction, numberedIds } from "../doubles.ts";

const URL_OF_CLIENT = "https://assistant.example/client.json";
const DOCUMENT = JSON.stringify({
  client_id: URL_OF_CLIENT,
  client_name: "Assistant",
  redirect_uris: ["https://assistant.example/callback"],
  token_endpoint_auth_method: "none",
});

/** Asks twice for a client whose document is found only at the second read; returns both answers. */
const askTwice = (first: ClientDocumentUnavailable) => {
  let readings = 0;
  const layer = Layer.provide(AssistantClients.layer, [
    Layer.succeed(ClientDocuments, {
      read: () => Effect.suspend(() => (readings++ === 0 ? Effect.fail(first) : Effect.succeed(DOCUMENT))),
    }),
    Layer.mock(AssistantClientRecords, {}),
    Layer.mock(Creations, {}),
    noTransaction,
    numberedIds,
  ]);
  const ask = Effect.flatMap(AssistantClients, (clients) => Effect.result(clients.find(URL_OF_CLIENT)));
  return Effect.provide(
    Effect.map(Effect.all([ask, ask]), (answers) => answers.map(({ _tag }) => _tag)),
    layer,
  );
};

it.effect("a document that was not requested because others were being read is requested next time", () =>
  Effect.gen(function* () {
    const busy = new ClientDocumentUnavailable({ reason: "too many", isBusy: true });
    assert.deepStrictEqual(yield* askTwice(busy), ["Failure", "Success"]);
    const failed = new ClientDocumentUnavailable({ reason: "HTTP 500" });
    assert.deepStrictEqual(yield* askTwice(failed), ["Failure", "Failure"]);
  }),
);

it.effect("a document is read at most every 15 minutes, and a failure is kept for 30 seconds [S13.3-7]", () =>
  Effect.gen(function* () {
    let readings = 0;
    let isThere = true;
    const layer = Layer.provide(AssistantClients.layer, [
      Layer.succeed(ClientDocuments, {
        read: () =>
          Effect.suspend(() => {
            readings++;
            return isThere ? Effect.succeed(DOCUMENT) : new ClientDocumentUnavailable({ reason: "HTTP 500" });
          }),
      }),
      Layer.mock(AssistantClientRecords, {}),
      Layer.mock(Creations, {}),
      noTransaction,
      numberedIds,
    ]);
    const told = yield* Effect.provide(
      Effect.flatMap(AssistantClients, ({ find }) => {
        const findAt = (millis: number) =>
          Effect.andThen(
            TestClock.setTime(millis),
            Effect.match(find(URL_OF_CLIENT), {
              onSuccess: ({ name }) => `${readings} ${name}`,
              onFailure: (error) => `${readings} ${"detail" in error && error.detail}`,
            }),
          );
        return Effect.gen(function* () {
          const answers = [yield* findAt(0), yield* findAt(15 * 60_000 - 1)];
          isThere = false;
          const start = 15 * 60_000;
          for (const after of [0, 29_999, 30_000]) answers.push(yield* findAt(start + after));
          return answers;
        });
      }),
      layer,
    );
    assert.deepStrictEqual(told, ["1 Assistant", "1 Assistant", "2 HTTP 500", "2 HTTP 500", "3 HTTP 500"]);
  }),
);
