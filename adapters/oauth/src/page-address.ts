import { NotAnswered } from "./guarded-fetch.ts";

/** The maximum length of a URL. */
const MAX_URL_CHARS = 2_048;

/**
 * Returns a provider's URL for a user's browser: https, or http at the origin of an issuer without TLS. Throws for any
 * other URL, such as a script.
 */
export const pageAddress = (said: string | undefined, issuer: string): string => {
  const isPlain = said !== undefined && said.length <= MAX_URL_CHARS && /^[!-~]+$/.test(said) && URL.canParse(said);
  const { protocol, origin, username, password } = new URL(isPlain ? said : "about:blank");
  const isLed = protocol === "https:" || (protocol === "http:" && origin === new URL(issuer).origin);
  if (!isPlain || !isLed || username !== "" || password !== "") {
    throw new NotAnswered({ code: "the provider names an address to which people are not led" });
  }
  return said;
};
