import { Clock, Context, Duration, Effect, Layer, Option } from "effect";
import { Fingerprints, ServiceKeys } from "../auth/index.ts";
import { AccountDirectory, type OutsideReach } from "../accounts/index.ts";
import { Entropy, type InputInvalid, type StoreUnavailable } from "../shared/index.ts";
import { Apps } from "./Apps.ts";
import type { ConnectLink } from "./ConnectAttempt.ts";
import { checkConnection, type Connector, connectRequestOf, type WrittenConnection } from "./connect-request.ts";
import { type AppNotFound, LinkExpired } from "./errors.ts";
import { isKeyLive } from "./is-key-live.ts";
import { OAuthSettings } from "./OAuthSettings.ts";
import { ConnectAttempts } from "./ports/ConnectAttempts.ts";

/** How long a link, and a consent begun by it, can be used. */
export const LINK_LIFETIME = Duration.minutes(10);

/** Present in every runtime, but not in TypeScript's ECMAScript types. */
declare const URL: {
  new (url: string): Readonly<Record<"protocol" | "username" | "password" | "hostname", string>>;
  canParse(url: string): boolean;
};

const REDIRECT = "must be an https address, or http to this machine";
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Returns whether a browser may be led there: https, or http to this machine. */
const isRedirectUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK.test(url.hostname));
};

/** A connection to make by a link. */
interface WrittenLink extends WrittenConnection {
  readonly redirectUrl: string;
  readonly state?: string | undefined;
}

/** The URLs that applications hand to users, to connect one account each (spec 11.3). */
export class ConnectLinks extends Context.Service<
  ConnectLinks,
  {
    /** Makes a link; returns its URL, which holds a secret. */
    readonly make: (
      written: WrittenLink,
      by: Connector,
    ) => Effect.Effect<string, InputInvalid | AppNotFound | OutsideReach | StoreUnavailable>;
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
      const apps = yield* Apps;
      const directory = yield* AccountDirectory;

      return ConnectLinks.of({
        make: Effect.fn("ConnectLinks.make")(function* (written, by) {
          yield* checkConnection(written);
          const { redirectUrl, state = null } = written;
          const faults = isRedirectUrl(redirectUrl) ? [] : [{ field: "redirectUrl", message: REDIRECT }];
          const request = yield* connectRequestOf(written, by, apps, directory, faults);
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
