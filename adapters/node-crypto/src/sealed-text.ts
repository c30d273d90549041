import { Option } from "effect";
import { OVERHEAD } from "./aead.ts";

/** The parts of a sealed secret. */
export interface SealedText {
  readonly kid: string;
  readonly wrappedKey: Buffer;
  readonly payload: Buffer;
}

export const DATA_KEY_BYTES = 32;

/** The form of a key's name: full stops separate the parts of a sealed text, and bars those of a context. */
export const KID = /^[A-Za-z0-9_-]{1,64}$/;

export const formatSealed = ({ kid, wrappedKey, payload }: SealedText): string =>
  `v1.${kid}.${wrappedKey.toString("base64url")}.${payload.toString("base64url")}`;

/** Parses a sealed text; none if it has another form than `formatSealed` writes or is too short. */
export const parseSealed = (text: string): Option.Option<SealedText> => {
  const [version, kid = "", wrapped = "", body = "", ...rest] = text.split(".");
  if (version !== "v1" || !KID.test(kid) || rest.length > 0) return Option.none();
  const wrappedKey = Buffer.from(wrapped, "base64url");
  const payload = Buffer.from(body, "base64url");
  const whole = wrappedKey.length === DATA_KEY_BYTES + OVERHEAD && payload.length >= OVERHEAD;
  const sealed = { kid, wrappedKey, payload };
  return whole && formatSealed(sealed) === text ? Option.some(sealed) : Option.none();
};
