import { Option, Schema } from "effect";
import type { AssistantClient } from "./AssistantClient.ts";
import { assistantFields } from "./rules.ts";

/** The maximum length of a `client_id`. */
const MAX_ID_CHARS = 512;

/** The URL of a document: https, a host and a path, without user, query, fragment or dot segments. */
const DOCUMENT_URL = /^https:\/\/([a-z0-9.-]+(?::\d{1,5})?)((?:\/[\w.~!$&'()*+,;=:@%-]+)+)$/;

/** Returns whether a `client_id` is the URL of a Client ID Metadata Document. */
export const isDocumentUrl = (id: string): boolean => id.length <= MAX_ID_CHARS && hostOfDocument(id) !== null;

/** Returns the host and port of a document's URL; null if the text is not such a URL. */
export const hostOfDocument = (id: string): string | null => {
  const [, host, path] = DOCUMENT_URL.exec(id) ?? [];
  if (host === undefined || path === undefined) return null;
  return path.split("/").some((part) => /^(\.|%2e){1,2}$/i.test(part)) ? null : host;
};

const readDocument = Schema.decodeUnknownOption(
  Schema.fromJsonString(
    Schema.Struct({
      client_id: Schema.String,
      client_name: Schema.optionalKey(assistantFields.clientName),
      redirect_uris: Schema.Array(Schema.String).check(Schema.isMaxLength(100)),
      grant_types: Schema.optionalKey(Schema.Array(Schema.String)),
      response_types: Schema.optionalKey(Schema.Array(Schema.String)),
      token_endpoint_auth_method: Schema.optionalKey(Schema.String),
    }),
  ),
);

const isRedirects = Schema.is(assistantFields.redirectUris);

/** Returns the client that a document describes; none unless the document names its own URL as `client_id`. */
export const clientOfDocument = (url: string, text: string, now: number): Option.Option<AssistantClient> =>
  Option.flatMap(readDocument(text), (document) => {
    const { client_id, client_name, redirect_uris, grant_types, response_types, token_endpoint_auth_method } = document;
    // A client with a shared secret cannot be public, and its document would contain the secret.
    const isPublic = !(token_endpoint_auth_method ?? "none").startsWith("client_secret");
    const takesCodes =
      (grant_types ?? ["authorization_code"]).includes("authorization_code") &&
      (response_types ?? ["code"]).includes("code");
    // Other kinds of URIs, such as an app's own scheme, are never redirected to.
    const redirectUris = redirect_uris.filter((uri) => isRedirects([uri]));
    if (client_id !== url || !isPublic || !takesCodes || !isRedirects(redirectUris)) return Option.none();
    const name = client_name ?? hostOfDocument(url) ?? url;
    return Option.some({ id: url, name, redirectUris, source: "document", createdAt: now });
  });
