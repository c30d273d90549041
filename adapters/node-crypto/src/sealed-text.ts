import { Option } from "effect";
import { OVERHEAD } from "./aead.ts";

/** A sealed secret taken apart. */
export interface SealedText {
  readonly kid: string;
  readonly wrappedKey: Buffer;
  readonly payload: Buffer;
}

export const DATA_KEY_BYTES = 32;

/** What a key may be called: the parts of a sealed text are told apart by full stops, those of a context by bars. */
export const KID = /^[A-Za-z0-9_-]{1,64}$/;

export const formatSealed = ({ kid, wrappedKey, payload }: SealedText): string =>
  `v1.${kid}.${wrappedKey.toString("base64url")}.${payload.toString("base64url")}`;

/** None where the text is not in the one spelling `formatSealed` gives, or is too short to be whole. */
export const parseSealed = (text: string): Option.Option<SealedText> => {
  const [version, kid = "", wrapped = "", body = "", ...rest] = text.split(".");
  if (version !== "v1" || !KID.test(kid) || rest.length > 0) return Option.none();
  const wrappedKey = Buffer.from(wrapped, "base64url");
  const payload = Buffer.from(body, "base64url");
  const whole = wrappedKey.length === DATA_KEY_BYTES + OVERHEAD && payload.length >= OVERHEAD;
  const sealed = { kid, wrappedKey, payload };
  return whole && formatSealed(sealed) === text ? Option.some(sealed) : Option.none();
};
