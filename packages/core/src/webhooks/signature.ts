import { Redacted, Result } from "effect";
import * as Base64 from "effect/encoding/Base64";
import * as Hex from "effect/encoding/Hex";
import type { MailEvent } from "../events/index.ts";
import type { Hmac } from "./ports/Hmac.ts";
import { secretsAt, type SigningSecrets } from "./signing-secrets.ts";

/** Present in every runtime, but not in TypeScript's ECMAScript types. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/** The event data that the headers of a POST contain. */
export interface SignedEvent extends Pick<MailEvent, "id" | "type" | "body"> {
  /** The number of the attempt, from 1. */
  readonly attempt: number;
}

/** Returns the headers of one POST. */
export type SignHeaders = (
  event: SignedEvent,
  secrets: SigningSecrets,
  now: number,
) => Readonly<Record<string, string>>;

/** The HMAC functions of a secret for its two signatures. */
interface Keys {
  readonly seed: (body: Uint8Array) => Uint8Array;
  readonly standard: (...parts: ReadonlyArray<Uint8Array>) => Uint8Array;
}

/**
 * Returns a function that writes the headers of a POST (spec 7.1): `X-Service-Signature` of the specification, keyed
 * by the secret's text, and the headers of Standard Webhooks, keyed by the bytes that the text encodes. The stored
 * bytes of the body are signed. Derived keys are cached as long as their secret.
 */
export const headerSigner = (hmac: Hmac["Service"]): SignHeaders => {
  const ready = new WeakMap<Redacted.Redacted, Keys>();
  const keysOf = (secret: Redacted.Redacted): Keys => {
    const known = ready.get(secret);
    if (known !== undefined) return known;
    const text = Redacted.value(secret);
    const keys = { seed: hmac.sha256(utf8(text)), standard: hmac.sha256(decodeSecret(text)) };
    ready.set(secret, keys);
    return keys;
  };

  return ({ id, type, body, attempt }, secrets, now) => {
    const { current, next } = secretsAt(secrets, now);
    const timestamp = String(Math.floor(now / 1000));
    const all = (next === null ? [current] : [current, next.secret]).map(keysOf);
    const signed = utf8(`${id}.${timestamp}.`);
    const [first, second] = all.map(({ seed }) => `sha256=${Hex.encode(seed(body))}`);
    return {
      "Content-Type": "application/json",
      "User-Agent": "Postern",
      "X-Service-Signature": first!,
      ...(second === undefined ? {} : { "X-Service-Signature-Next": second }),
      "X-Service-Event": type,
      "X-Service-Attempt": String(attempt),
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": all.map(({ standard }) => `v1,${Base64.encode(standard(signed, body))}`).join(" "),
    };
  };
};

const encoder = new TextEncoder();
const utf8 = (text: string): Uint8Array => encoder.encode(text);

const decodeSecret = (secret: string): Uint8Array => Result.getOrThrow(Base64.decode(secret.replace(/^whsec_/, "")));
