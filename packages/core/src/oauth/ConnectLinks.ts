import { Clock, Context, Duration, Effect, Layer, Option } from "effect";
import { Fingerprints, ServiceKeys } from "../auth/index.ts";
import { Entropy, type StoreUnavailable } from "../shared/index.ts";
import type { ConnectLink, ConnectRequest } from "./ConnectAttempt.ts";
import { LinkExpired } from "./errors.ts";
import { isKeyLive } from "./is-key-live.ts";
import { OAuthSettings } from "./OAuthSettings.ts";
import { ConnectAttempts } from "./ports/ConnectAttempts.ts";

/** How long a link, and a consent begun by it, can be used. */
export const LINK_LIFETIME = Duration.minutes(10);

/** The URLs that applications hand to users, to connect one account each (spec 11.3). */
export class ConnectLinks extends Context.Service<
  ConnectLinks,
  {
    /** Makes a link; returns its URL, which holds a secret. */
    readonly make: (
      request: ConnectRequest,
      redirectUrl: string,
      state: string | null,
    ) => Effect.Effect<string, StoreUnavailable>;
    readonly find: (secret: string) => Effect.Effect<ConnectLink, LinkExpired | StoreUnavailable>;
    /** Ends a link that has served. */
    readonly close: (secret: string) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/oauth/ConnectLinks") {
  static readonly layer = Layer.effect(
    ConnectLinks,
    Effect.gen(function* () {
      const { baseUrl } = yield* OAuthSettings;
      const attempts = yield* ConnectAttempts;
      const fingerprints = yield* Fingerprints;
      const entropy = yield* Entropy;
      const keys = yield* ServiceKeys;

      return ConnectLinks.of({
        make: Effect.fn("ConnectLinks.make")(function* (request, redirectUrl, state) {
          const secret = yield* entropy.id(256);
          const expiresAt = (yield* Clock.currentTimeMillis) + Duration.toMillis(LINK_LIFETIME);
          const id = fingerprints.ofToken(secret);
          yield* attempts.insert({ _tag: "Link", id, expiresAt, request, redirectUrl, state });
          return `${baseUrl}/connect/${secret}`;
        }),
        find: Effect.fn("ConnectLinks.find")(function* (secret) {
          const found = Option.getOrUndefined(yield* attempts.find(fingerprints.ofToken(secret)));
          const now = yield* Clock.currentTimeMillis;
          if (found?._tag !== "Link" || now >= found.expiresAt) return yield* new LinkExpired();
          return (yield* isKeyLive(keys, found.request, now)) ? found : yield* new LinkExpired();
        }),
        close: (secret) => Effect.asVoid(attempts.take(fingerprints.ofToken(secret))),
      });
    }),
  );
}
