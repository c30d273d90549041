/** The document as the library derives it, in the parts we look at. */
type Json = Readonly<Record<string, unknown>>;

interface Body {
  readonly content: Readonly<Record<string, { readonly schema: { readonly anyOf?: ReadonlyArray<Json> } }>>;
}

const maybeOptional = (body: Body): Body => {
  const kinds = body.content["application/json"]?.schema.anyOf ?? [];
  const [some, ...others] = kinds.filter(({ type }) => type !== "null");
  if (some === undefined || others.length > 0 || kinds.length === 1) return body;
  return { ...body, content: { "application/json": { schema: some } }, required: false } as Body;
};

/** A browser shows its session's cookie where others show a token; the library would try the two one after the other. */
const SESSION_COOKIE = {
  type: "apiKey",
  in: "cookie",
  name: "__Host-session",
  description: "Set by `POST /api/auth/login`; named `session` where the service is on plain http on loopback.",
};

const NUMERIC_TEXT = /"type": ?"string","pattern":"\^\[\+-\][^"]*"/g;

/**
 * Makes the derived OpenAPI document say what the wire carries: query numbers are integers from 1 (their text form is
 * the library's affair), a body that may be null may as well be missing, a session is shown by token or cookie, and
 * problems are named as their `code`, without the suffix of their encoded side. What only the library's own clients
 * read of a stream is left out.
 */
export const tidyDocument = (document: Json): Json => {
  const text = JSON.stringify(document)
    .replaceAll(NUMERIC_TEXT, '"type":"integer","minimum":1,"maximum":2147483647')
    .replaceAll(/"([a-z_]+)Encoded"/g, '"$1"')
    .replace('"scheme":"Bearer"', '"scheme":"bearer"')
    .replaceAll('"security":[{"bearer":[]}]', '"security":[{"bearer":[]},{"cookie":[]}]')
    .replace('"securitySchemes":{', `"securitySchemes":{"cookie":${JSON.stringify(SESSION_COOKIE)},`)
    .replaceAll(/(#\/components\/schemas\/[a-z_]+)Encoded"/g, '$1"');
  return JSON.parse(text, (key, value: unknown) => {
    if (key === "x-effect-stream") return undefined;
    return key === "requestBody" ? maybeOptional(value as Body) : value;
  }) as Json;
};
