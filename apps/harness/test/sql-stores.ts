import { UploadContentsInMemory } from "@postern/memory";
import { SecretBox } from "@postern/node-crypto";
import { postgres, RecordCipher, sqliteInMemory } from "@postern/sql";
import { Layer, Redacted } from "effect";

const cipher = Layer.effect(RecordCipher, SecretBox).pipe(
  Layer.provide(SecretBox.layer({ keys: [{ kid: "k1", key: new Uint8Array(32).fill(7) }] })),
);

/** The stores of the service on the embedded database, and on PostgreSQL. */
export const sqliteStores = Layer.mergeAll(Layer.provide(sqliteInMemory, cipher), UploadContentsInMemory);
export const postgresStores = (url: string) =>
  Layer.mergeAll(Layer.provide(postgres({ url: Redacted.make(url) }), cipher), UploadContentsInMemory);
