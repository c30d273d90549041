import { Context, type Effect } from "effect";
import type { ClientDocumentUnavailable } from "../errors.ts";

/** Reads Client ID Metadata Documents, which assistants publish (spec 13.3). */
export class ClientDocuments extends Context.Service<
  ClientDocuments,
  {
    /**
     * Returns the text at an https URL. The response must have status 200 and be short JSON that arrives in time.
     * Redirects are not followed, and only public addresses are contacted.
     */
    readonly read: (url: string) => Effect.Effect<string, ClientDocumentUnavailable>;
  }
>()("@postern/core/assistants/ports/ClientDocuments") {}
