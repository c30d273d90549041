import { Context, Layer } from "effect";

/** The documents that clients publish, by URL. A test adds and removes them. */
export class DocumentsInMemory extends Context.Service<DocumentsInMemory, Map<string, string>>()(
  "@postern/memory/DocumentsInMemory",
) {
  static readonly layer = Layer.sync(DocumentsInMemory, () => new Map());
}
