import { Context, type Effect } from "effect";
import type { ClientDocumentUnavailable } from "../errors.ts";

/** Reads Client ID Metadata Documents, which assistants publish (spec 13.3). */
export class ClientDocuments extends Context.Service<
  ClientDocuments,
  {
    /**
     * Returns the text at an https URL. The answer must have status 200, be JSON and short, and come soon; redirects are
     * not followed, and addresses that are not public are not contacted.
     */
    readonly read: (url: string) => Effect.Effect<string, ClientDocumentUnavailable>;
  }
>()("@postern/core/assistants/ports/ClientDocuments") {}
