import { assert, it } from "@effect/vitest";
import { Effect, Layer } from "effect";
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
