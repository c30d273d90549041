import { OpenApi } from "effect/http-api";
import { PosternApi } from "./PosternApi.ts";

/** The OpenAPI 3.1 document of the contract, as text that is the same for the same contract (spec 8). */
export const openApiDocument = (): string => `${JSON.stringify(OpenApi.fromApi(PosternApi), null, 2)}\n`;
