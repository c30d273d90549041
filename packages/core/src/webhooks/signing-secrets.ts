import { Effect, Redacted } from "effect";
import { Entropy } from "../shared/index.ts";

/** An endpoint's secrets: the active secret and, during a rotation, the next secret (spec 7). */
export interface SigningSecrets {
  readonly current: Redacted.Redacted;
  readonly next: { readonly secret: Redacted.Redacted; readonly activatesAt: number } | null;
}

const BITS = 192;
const HINT_CHARS = 4;

/** Creates a secret in the format of Standard Webhooks: `whsec_` and 24 random bytes as base64. */
export const newSecret: Effect.Effect<Redacted.Redacted, never, Entropy> = Effect.gen(function* () {
  const random = yield* (yield* Entropy).id(BITS);
  return Redacted.make(`whsec_${random.replaceAll("-", "+").replaceAll("_", "/")}`, { label: "signing secret" });
});

/** Returns the secrets of a new endpoint. */
export const initialSecrets = (secret: Redacted.Redacted): SigningSecrets => ({ current: secret, next: null });

/** Returns the secrets at a time: a next secret that is active by then has replaced the old one. */
export const secretsAt = (secrets: SigningSecrets, now: number): SigningSecrets =>
  secrets.next !== null && secrets.next.activatesAt <= now ? initialSecrets(secrets.next.secret) : secrets;

/** Adds a next secret, which is active at once if `overlap` is 0. Replaces a next secret that is not active yet. */
export const rotateSecret = (
  secrets: SigningSecrets,
  secret: Redacted.Redacted,
  overlap: number,
  now: number,
): SigningSecrets => {
  const { current } = secretsAt(secrets, now);
  return secretsAt({ current, next: { secret, activatesAt: now + overlap } }, now);
};

/** Returns the last characters of a secret, so that its owner can recognise it. */
export const secretHint = (secret: Redacted.Redacted): string => `…${Redacted.value(secret).slice(-HINT_CHARS)}`;

const MILLIS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DAY = MILLIS.d;

/** Parses the time for which both secrets sign, from `0`, `90m` or `7d` to milliseconds; a day by default, at most a week (spec 7). */
export const overlapMillis = (text: string | undefined): number => {
  if (text === undefined) return DAY;
  const unit = text.at(-1) as keyof typeof MILLIS;
  return Math.min(Number.parseInt(text, 10) * (MILLIS[unit] ?? 0), 7 * DAY);
};
