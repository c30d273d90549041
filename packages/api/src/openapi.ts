import { OpenApi } from "effect/http-api";
import { PosternApi } from "./PosternApi.ts";
import { type DocumentAddress, tidyDocument } from "./tidy-document.ts";

export type { DocumentAddress } from "./tidy-document.ts";

/** Returns the contract with a document that states the address of a service. */
export const apiAt = (address: DocumentAddress) =>
  PosternApi.annotate(OpenApi.Transform, (document) => tidyDocument(document, address));

/**
 * The OpenAPI 3.1 document of the contract, as text that is the same for the same contract and address (spec 8). Without
 * an address it is that of a service on an origin of its own.
 */
export const openApiDocument = (address?: DocumentAddress): string =>
  `${JSON.stringify(OpenApi.fromApi(address === undefined ? PosternApi : apiAt(address)), null, 2)}\n`;
