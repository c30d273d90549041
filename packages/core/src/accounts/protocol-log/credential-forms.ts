import * as Base64 from "effect/encoding/Base64";
import * as Hex from "effect/encoding/Hex";

declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/** The minimum length of a truncated form. Shorter forms would match everything. */
const MIN_CUT_CHARS = 4;

/** Returns the base64 of a text at each of the three possible offsets in a longer text, without the characters that depend on neighbouring bytes. */
const base64Forms = (text: string): ReadonlyArray<string> =>
  [0, 1, 2].flatMap((shift) => {
    const bytes = new TextEncoder().encode(text);
    const encoded = Base64.encode(Uint8Array.from([...new Uint8Array(shift), ...bytes])).replace(/=+$/, "");
    const start = Math.ceil((shift * 8) / 6);
    const end = Math.floor(((shift + bytes.length) * 8) / 6);
    const certain = encoded.slice(start, end);
    return certain.length < MIN_CUT_CHARS ? [] : [certain, certain.replaceAll("+", "-").replaceAll("/", "_")];
  });

const percentEncoded = (text: string): string => {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Returns the forms in which a server may repeat a password or a token, in lower case. */
const formsOf = (secret: string): ReadonlyArray<string> =>
  [
    secret,
    secret.replaceAll(/["\\]/g, "\\$&"),
    JSON.stringify(secret).slice(1, -1),
    percentEncoded(secret),
    Hex.encode(secret),
    ...base64Forms(secret),
  ].map((form) => form.toLowerCase());

/** Returns a function that tests whether a text contains one of these secrets verbatim, quoted or encoded; letter case does not count. */
export const holdsOneOf = (secrets: ReadonlyArray<string>): ((text: string) => boolean) => {
  const forms = [...new Set(secrets.filter((secret) => secret !== "").flatMap(formsOf))];
  return (text) => {
    const lower = text.toLowerCase();
    return forms.some((form) => lower.includes(form));
  };
};
