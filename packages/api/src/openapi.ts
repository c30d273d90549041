import { OpenApi } from "effect/http-api";
import { PosternApi } from "./PosternApi.ts";
import { type DocumentAddress, tidyDocument } from "./document/tidy-document.ts";

export type { DocumentAddress } from "./document/tidy-document.ts";

/** Returns the contract, whose document contains the URL of a service. */
export const apiAt = (address: DocumentAddress) =>
  PosternApi.annotate(OpenApi.Transform, (document) => tidyDocument(document, address));

/**
 * Returns the OpenAPI 3.1 document of the contract as deterministic JSON (spec 8). Without an address, the document is
 * for a service with its own origin.
 */
export const openApiDocument = (address?: DocumentAddress): string =>
  `${JSON.stringify(OpenApi.fromApi(address === undefined ? PosternApi : apiAt(address)), null, 2)}\n`;
