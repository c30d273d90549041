import type { DocumentAddress } from "@postern/api";
import { Effect } from "effect";
import { PublicAddress } from "../edge/PublicAddress.ts";

/** The address of this service as its OpenAPI document states it. */
export const documentAddress = Effect.map(PublicAddress, ({ prefix, sessionCookie }): DocumentAddress => ({
  path: prefix || "/",
  cookie: sessionCookie?.name ?? "__Host-session",
}));
