import { Clock, Context, Duration, Effect, Layer, Option, Redacted } from "effect";
import { Entropy, type StoreUnavailable } from "../shared/index.ts";
import { AdminKeys } from "./AdminKeys.ts";
import { ApplicationSuspended, KeyNetworkRefused, KeyRejected, TooManyWrongKeys } from "./errors.ts";
import { Fingerprints } from "./ports/Fingerprints.ts";
import { ServiceKeys } from "./ports/ServiceKeys.ts";
import { WrongKeys } from "./ports/WrongKeys.ts";
import type { Scope } from "./scopes.ts";
import type { ServiceKey } from "./ServiceKey.ts";
import { judgeWrongKey, WRONG_KEY_WINDOW } from "./wrong-keys.ts";

/** The holder of an accepted key. */
export type KeyHolder = { readonly _tag: "Admin" } | { readonly _tag: "Service"; readonly key: ServiceKey };

/** The origin of a request. */
export interface KeyClient {
  /** The network by which wrong keys are counted: an IPv4 address or an IPv6 /64. */
  readonly network: string;
  /** Returns whether the client's address is in one of these blocks (CIDR). */
  readonly isWithin: (networks: ReadonlyArray<string>) => boolean;
}

/** The minimum length of an admin key. */
export const MIN_ADMIN_KEY_CHARS = 32;

/** The forms of a session's token (RFC 7519) and of an assistant's tokens. Such a token never counts as a guess of a key. */
const OTHER_TOKEN = /^([\w-]+\.[\w-]+\.[\w-]*|pg[rt]_[\w-]+)$/;

/** Identifies a request by a service key or an admin key. */
export class KeyAuthentication extends Context.Service<
  KeyAuthentication,
  {
    /**
     * Returns the holder of a key; none if the text may be the token of a session. `client` is read only for keys.
     * Every check reads the store, so that no process accepts a deleted key.
     */
    readonly holderOf: (
      text: string,
      client: () => KeyClient,
    ) => Effect.Effect<
      Option.Option<KeyHolder>,
      KeyRejected | KeyNetworkRefused | ApplicationSuspended | TooManyWrongKeys | StoreUnavailable
    >;
    /**
     * Returns the current state of a service key if it is still accepted from this client for this scope. Streams and
     * waiting requests call this function again, because a key may change meanwhile. Fails while the key's application
     * is suspended.
     */
    readonly recheck: (
      id: string,
      scope: Scope,
      client: KeyClient,
    ) => Effect.Effect<Option.Option<ServiceKey>, ApplicationSuspended | StoreUnavailable>;
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

      /** Returns whether the text is long enough to be a guess of an admin key. */
      const mayBeAdmin = (text: string) =>
        adminKeys.length > 0 && text.length >= MIN_ADMIN_KEY_CHARS && !OTHER_TOKEN.test(text);

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
        if (!isWithinNetworks(key, client)) return yield* new KeyNetworkRefused();
        if (key.suspendedAt !== undefined) return yield* new ApplicationSuspended();
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
          // Compares with every key, so that the duration does not reveal which key matches.
          const matches = adminHashes().filter((known) => isSameHash(known, hash));
          if (matches.length > 0) return Option.some<KeyHolder>({ _tag: "Admin" });
        }
        return mayBeAdmin(text) ? yield* refuse(client().network) : Option.none<KeyHolder>();
      });

      return KeyAuthentication.of({
        holderOf,
        recheck: Effect.fnUntraced(function* (id: string, scope: Scope, client: KeyClient) {
          const now = yield* Clock.currentTimeMillis;
          const accepted = Option.filter(
            yield* keys.find(id),
            (found) => isKeyLive(found, now) && isWithinNetworks(found, client) && includesScope(found.scopes, scope),
          );
          const isSuspended = Option.exists(accepted, ({ suspendedAt }) => suspendedAt !== undefined);
          return isSuspended ? yield* new ApplicationSuspended() : accepted;
        }),
        sweep: Effect.flatMap(Clock.currentTimeMillis, (now) =>
          wrongKeys.removeOld(now - Duration.toMillis(WRONG_KEY_WINDOW)),
        ).pipe(Effect.withSpan("KeyAuthentication.sweep")),
      });
    }),
  );
}

/** The sizes of the two random parts of a key, in bits. */
export const KEY_ID_BITS = 96;
export const KEY_SECRET_BITS = 256;

const PREFIX = "psk_";
const KEY = /^psk_([\w-]{16})_[\w-]{43}$/;

/** Precision of `lastUsedAt`, so that not every request writes. */
const USE_PRECISION = Duration.minutes(1);

/** Returns the text of a key, as its holder sends it. */
export const serviceKeyText = (id: string, secret: string): string => `${PREFIX}${id}_${secret}`;

/** Returns whether the text begins like a service key. */
export const isServiceKeyText = (text: string): boolean => text.startsWith(PREFIX);

/** Returns the id in the text of a key; undefined if the text has another form. */
export const serviceKeyIdOf = (text: string): string | undefined => KEY.exec(text)?.[1];

/** The scopes that `mail:write` includes: for flags, moves and Trash; for permanent deletions; for folders. */
const PARTS_OF_WRITE: ReadonlyArray<string> = ["mail:organize", "mail:delete"] satisfies ReadonlyArray<Scope>;

/** Returns whether scopes include the needed scope, directly or as a part of `mail:write` (spec 10.2). */
export const includesScope = (scopes: ReadonlyArray<string>, needed: string): boolean =>
  scopes.includes(needed) || (PARTS_OF_WRITE.includes(needed) && scopes.includes("mail:write"));

/** Returns whether the key has not expired. */
const isKeyLive = ({ expiresAt }: ServiceKey, now: number): boolean => expiresAt === null || now < expiresAt;

/** Returns whether the key is accepted from the client's network. */
const isWithinNetworks = ({ networks }: ServiceKey, client: KeyClient): boolean =>
  networks === null || client.isWithin(networks);

/** Returns the latest `lastUsedAt` that a use at `now` replaces. */
const replacedUse = (now: number): number => now - Duration.toMillis(USE_PRECISION);

/** Returns whether two hashes are equal, in constant time. */
export const isSameHash = (one: string, other: string): boolean => {
  let difference = one.length ^ other.length;
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
};
