import { Redacted, Result } from "effect";
import * as Base64 from "effect/encoding/Base64";
import * as Hex from "effect/encoding/Hex";
import type { MailEvent } from "../events/MailEvent.ts";
import type { Hmac } from "./ports/Hmac.ts";
import { secretsAt, type SigningSecrets } from "./signing-secrets.ts";

/** In every runtime, but not in the types of the language alone. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/** What a POST says about its event. */
export interface SignedEvent extends Pick<MailEvent, "id" | "type" | "body"> {
  /** From 1. */
  readonly attempt: number;
}

/**
 * The headers of one POST (seed 5, decisions 7): `X-Service-Signature` as the specification has it, keyed by the
 * secret's text, and those of Standard Webhooks, keyed by the bytes it encodes. The body is signed as it is stored.
 */
export const signedHeaders = (
  { id, type, body, attempt }: SignedEvent,
  secrets: SigningSecrets,
  hmac: Hmac["Service"],
  now: number,
): Readonly<Record<string, string>> => {
  const { current, next } = secretsAt(secrets, now);
  const timestamp = String(Math.floor(now / 1000));
  const keys = next === null ? [current] : [current, next.secret];
  const signed = utf8(`${id}.${timestamp}.`);
  return {
    "Content-Type": "application/json",
    "User-Agent": "Postern",
    "X-Service-Signature": seedSignature(current, body, hmac),
    ...(next === null ? {} : { "X-Service-Signature-Next": seedSignature(next.secret, body, hmac) }),
    "X-Service-Event": type,
    "X-Service-Attempt": String(attempt),
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": keys
      .map((secret) => `v1,${Base64.encode(hmac.sha256(decodedKey(secret), signed, body))}`)
      .join(" "),
  };
};

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const seedSignature = (secret: Redacted.Redacted, body: Uint8Array, hmac: Hmac["Service"]): string =>
  `sha256=${Hex.encode(hmac.sha256(utf8(Redacted.value(secret)), body))}`;

const decodedKey = (secret: Redacted.Redacted): Uint8Array =>
  Result.getOrThrow(Base64.decode(Redacted.value(secret).replace(/^whsec_/, "")));
