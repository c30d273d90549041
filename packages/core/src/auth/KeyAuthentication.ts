import { Clock, Context, Duration, Effect, Layer, Option, Redacted } from "effect";
import { Entropy, type StoreUnavailable } from "../shared/index.ts";
import { AdminKeys } from "./AdminKeys.ts";
import { KeyNetworkRefused, KeyRejected, TooManyWrongKeys } from "./errors.ts";
import { Fingerprints } from "./ports/Fingerprints.ts";
import { ServiceKeys } from "./ports/ServiceKeys.ts";
import { WrongKeys } from "./ports/WrongKeys.ts";
import { isKeyLive, isSameHash, isServiceKeyText, replacedUse, serviceKeyIdOf } from "./service-key.ts";
import type { ServiceKey } from "./ServiceKey.ts";
import { judgeWrongKey, WRONG_KEY_WINDOW } from "./wrong-keys.ts";

/** The holder of a key that was accepted. */
export type KeyHolder = { readonly _tag: "Admin" } | { readonly _tag: "Service"; readonly key: ServiceKey };

/** Where a request comes from. */
export interface KeyClient {
  /** The network by which wrong keys are counted: an IPv4 address or an IPv6 /64. */
  readonly network: string;
  /** Whether the client's address is in one of these blocks (CIDR). */
  readonly isWithin: (networks: ReadonlyArray<string>) => boolean;
}

/** The shortest admin key. */
export const ADMIN_KEY_CHARACTERS = 32;

/** Tokens of sessions (RFC 7519), which are never guesses of a key. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Identifies a request by a service key or an admin key. */
export class KeyAuthentication extends Context.Service<
  KeyAuthentication,
  {
    /**
     * Returns the holder of a key; none if the text is no key, but may be the token of a session; `client` is read for keys only. Every check reads the
     * store, so that no process accepts a key after its deletion.
     */
    readonly holderOf: (
      text: string,
      client: () => KeyClient,
    ) => Effect.Effect<Option.Option<KeyHolder>, KeyRejected | KeyNetworkRefused | TooManyWrongKeys | StoreUnavailable>;
    /** Whether a service key is still accepted. Streams check it, because they outlast the request that opened them. */
    readonly isLive: (id: string) => Effect.Effect<boolean, StoreUnavailable>;
    /** Removes records of wrong keys that are too old to count. */
    readonly sweep: Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/auth/KeyAuthentication") {
  static readonly layer = Layer.effect(
    KeyAuthentication,
    Effect.gen(function* () {
      const keys = yield* ServiceKeys;
      const wrongKeys = yield* WrongKeys;
      const fingerprints = yield* Fingerprints;
      const entropy = yield* Entropy;
      const adminKeys = yield* AdminKeys;
      let hashes: ReadonlyArray<string> | undefined;
      const adminHashes = () => (hashes ??= adminKeys.map((key) => fingerprints.ofToken(Redacted.value(key))));

      /** Whether the text may be a guess of an admin key, which is no shorter than this. */
      const mayBeAdmin = (text: string) =>
        adminKeys.length > 0 && text.length >= ADMIN_KEY_CHARACTERS && !JWT.test(text);

      const refuse = Effect.fnUntraced(function* (network: string) {
        const at = yield* Clock.currentTimeMillis;
        const since = at - Duration.toMillis(WRONG_KEY_WINDOW);
        const id = yield* entropy.id(128);
        const verdict = yield* wrongKeys.judge({ id, network, at }, since, (earlier) => judgeWrongKey(earlier, at));
        return yield* verdict._tag === "Throttle"
          ? new TooManyWrongKeys({ retryAfter: verdict.retryAfter })
          : new KeyRejected();
      });

      const serviceKey = Effect.fnUntraced(function* (text: string, client: KeyClient) {
        const id = serviceKeyIdOf(text);
        const found = id === undefined ? Option.none() : yield* keys.findByHash(id, fingerprints.ofToken(text));
        if (Option.isNone(found)) return yield* refuse(client.network);
        const key = found.value;
        const now = yield* Clock.currentTimeMillis;
        if (!isKeyLive(key, now)) return yield* new KeyRejected();
        if (key.networks !== null && !client.isWithin(key.networks)) return yield* new KeyNetworkRefused();
        if (key.lastUsedAt === null || key.lastUsedAt <= replacedUse(now)) {
          yield* Effect.ignore(keys.use(key.id, now, replacedUse(now)));
        }
        return key;
      });

      const holderOf = Effect.fnUntraced(function* (text: string, client: () => KeyClient) {
        if (isServiceKeyText(text)) {
          return Option.some<KeyHolder>({ _tag: "Service", key: yield* serviceKey(text, client()) });
        }
        if (adminKeys.length > 0) {
          const hash = fingerprints.ofToken(text);
          // Compares with every key, so that the time does not tell which one is right.
          const matches = adminHashes().filter((known) => isSameHash(known, hash));
          if (matches.length > 0) return Option.some<KeyHolder>({ _tag: "Admin" });
        }
        return mayBeAdmin(text) ? yield* refuse(client().network) : Option.none<KeyHolder>();
      });

      return KeyAuthentication.of({
        holderOf,
        isLive: Effect.fnUntraced(function* (id: string) {
          const key = yield* keys.find(id);
          const now = yield* Clock.currentTimeMillis;
          return Option.exists(key, (found) => isKeyLive(found, now));
        }),
        sweep: Effect.flatMap(Clock.currentTimeMillis, (now) =>
          wrongKeys.removeOld(now - Duration.toMillis(WRONG_KEY_WINDOW)),
        ).pipe(Effect.withSpan("KeyAuthentication.sweep")),
      });
    }),
  );
}
