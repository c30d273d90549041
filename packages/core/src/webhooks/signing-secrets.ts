import { Effect, Redacted } from "effect";
import { Entropy } from "../shared/index.ts";

/** An endpoint's secrets: the one in force, and while it is rotated the one to come (spec 7). */
export interface SigningSecrets {
  readonly current: Redacted.Redacted;
  readonly next: { readonly secret: Redacted.Redacted; readonly activatesAt: number } | null;
}

const BITS = 192;
const HINT_CHARACTERS = 4;

/** A secret in the form of Standard Webhooks: `whsec_` and 24 random bytes as base64. */
export const newSecret: Effect.Effect<Redacted.Redacted, never, Entropy> = Effect.gen(function* () {
  const random = yield* (yield* Entropy).id(BITS);
  return Redacted.make(`whsec_${random.replaceAll("-", "+").replaceAll("_", "/")}`, { label: "signing secret" });
});

/** The secrets of an endpoint that was just created. */
export const firstSecrets = (secret: Redacted.Redacted): SigningSecrets => ({ current: secret, next: null });

/** The secrets at a moment: a new one is in force once its time has come, and the old one signs no more. */
export const secretsAt = (secrets: SigningSecrets, now: number): SigningSecrets =>
  secrets.next !== null && secrets.next.activatesAt <= now ? firstSecrets(secrets.next.secret) : secrets;

/** Announces a new secret; without overlap it is in force at once. One announced earlier is forgotten. */
export const rotateSecret = (
  secrets: SigningSecrets,
  secret: Redacted.Redacted,
  overlap: number,
  now: number,
): SigningSecrets => {
  const { current } = secretsAt(secrets, now);
  return secretsAt({ current, next: { secret, activatesAt: now + overlap } }, now);
};

/** The end of a secret, by which its owner knows it again. */
export const secretHint = (secret: Redacted.Redacted): string => `…${Redacted.value(secret).slice(-HINT_CHARACTERS)}`;
