import { ClientDocuments, ClientDocumentUnavailable } from "@postern/core/assistants";
import { Effect, Layer } from "effect";
import { DocumentsInMemory } from "./DocumentsInMemory.ts";

/** Reads the documents in memory. */
export const layer = Layer.effect(
  ClientDocuments,
  Effect.map(DocumentsInMemory, (documents) =>
    ClientDocuments.of({
      read: Effect.fnUntraced(function* (url) {
        const text = documents.get(url);
        return text ?? (yield* new ClientDocumentUnavailable({ reason: "HTTP 404" }));
      }),
    }),
  ),
);
