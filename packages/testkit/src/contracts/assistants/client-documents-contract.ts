import { assert, layer } from "@effect/vitest";
import { ClientDocuments } from "@postern/core/assistants";
import { Effect, type Layer } from "effect";
import { PublishedDocuments } from "../../controls/PublishedDocuments.ts";

/** The contract of `ClientDocuments` (spec 13.3). */
export const clientDocumentsContract = (
  name: string,
  live: Layer.Layer<ClientDocuments | PublishedDocuments, unknown>,
) =>
  layer(live)(name, (it) => {
    it.effect("returns the text of a document", () =>
      Effect.gen(function* () {
        const text = JSON.stringify({ client_name: "Ümläut" });
        const url = yield* (yield* PublishedDocuments).publish(text);
        assert.strictEqual(yield* (yield* ClientDocuments).read(url), text);
      }),
    );

    it.effect("fails for a document that is not there", () =>
      Effect.gen(function* () {
        const url = yield* (yield* PublishedDocuments).publish("{}");
        const error = yield* Effect.flip((yield* ClientDocuments).read(`${url}x`));
        assert.strictEqual(error._tag, "ClientDocumentUnavailable");
      }),
    );
  });
