import { Clock, Context, Duration, Effect, Layer, Option, Redacted } from "effect";
import { Applications, Fingerprints, ServiceKeys } from "../auth/index.ts";
import type { Scope } from "../auth/neighbours.ts";
import { AccountDirectory, type OutsideReach } from "../accounts/index.ts";
import { type CreationKey, Creations } from "../creations/index.ts";
import type { KeyClaim, RepeatError } from "../creations/neighbours.ts";
import { Entropy, type StoreUnavailable, Transaction } from "../shared/index.ts";
import { Apps } from "./Apps.ts";
import type { ConnectLink } from "./ConnectAttempt.ts";
import { checkConnection, type Connector, connectRequestOf, type WrittenConnection } from "./connect-request.ts";
import { type AppNotFound, LinkExpired } from "./errors.ts";
import { isKeyLive } from "./is-key-live.ts";
import { OAuthSettings } from "./OAuthSettings.ts";
import { ConnectAttempts } from "./ports/ConnectAttempts.ts";

/** The lifetime of a link, and of a consent that the link began. */
export const LINK_LIFETIME = Duration.minutes(10);

/** Present in every runtime, but not in TypeScript's ECMAScript types. */
declare const URL: {
  new (url: string): Readonly<Record<"protocol" | "username" | "password" | "hostname", string>>;
  canParse(url: string): boolean;
};

const REDIRECT = "must be an https address, or http to this machine";
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Returns whether browsers may be redirected to a URL: it uses https, or http to this machine. */
const isRedirectUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK.test(url.hostname));
};

/** A key's request for a link. */
interface WrittenLink extends WrittenConnection {
  readonly redirectUrl: string;
  readonly state?: string | undefined;
}

/** The application that requests a connection from a user, and the scopes of its key. */
export interface Asker {
  readonly name: string;
  readonly purpose: string | null;
  /** A PNG in base64. */
  readonly logo: string | null;
  /** `#rrggbb` */
  readonly colour: string | null;
  readonly scopes: ReadonlyArray<Scope>;
}

/** Creates the URLs that applications give to users; each URL connects one account (spec 11.3). */
export class ConnectLinks extends Context.Service<
  ConnectLinks,
  {
    /** Creates a link, once for each key; returns its URL, which contains a secret. */
    readonly make: (
      written: WrittenLink,
      by: Connector,
      key?: CreationKey,
    ) => Effect.Effect<string, AppNotFound | OutsideReach | RepeatError>;
    readonly find: (secret: string) => Effect.Effect<ConnectLink, LinkExpired | StoreUnavailable>;
    /** Returns the requester of the connection: an application or, for a link of the operator, the site to which the link redirects. */
    readonly askerOf: (link: ConnectLink) => Effect.Effect<Asker, StoreUnavailable>;
    /** Ends a link; fails if it has ended. */
    readonly close: (secret: string) => Effect.Effect<void, LinkExpired | StoreUnavailable>;
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
      const applications = yield* Applications;
      const apps = yield* Apps;
      const directory = yield* AccountDirectory;
      const creations = yield* Creations;
      const transaction = yield* Transaction;

      const urlOf = (secret: string) => `${baseUrl}/connect/${secret}`;

      const makeOne = Effect.fnUntraced(function* (
        written: WrittenLink,
        by: Connector,
        claim: KeyClaim,
        isRepeatable: boolean,
      ) {
        yield* checkConnection(written);
        const { redirectUrl, state = null } = written;
        const faults = isRedirectUrl(redirectUrl) ? [] : [{ field: "redirectUrl", message: REDIRECT }];
        const request = yield* connectRequestOf(written, by, apps, directory, faults);
        const secret = yield* entropy.id(256);
        const expiresAt = (yield* Clock.currentTimeMillis) + Duration.toMillis(LINK_LIFETIME);
        const id = fingerprints.ofToken(secret);
        const link = { _tag: "Link" as const, id, expiresAt, request, redirectUrl, state };
        const kept = isRepeatable ? { ...link, secret: Redacted.make(secret) } : link;
        yield* transaction.run(Effect.andThen(claim.complete(id), attempts.insert(kept)));
        return urlOf(secret);
      });

      /** Returns the URL of the link that the first request with a key created. */
      const repeated = (id: string) =>
        Effect.map(
          attempts.find(id),
          Option.flatMap((found) =>
            found._tag === "Link" && found.secret !== undefined
              ? Option.some(urlOf(Redacted.value(found.secret)))
              : Option.none(),
          ),
        );

      return ConnectLinks.of({
        make: Effect.fn("ConnectLinks.make")((written, by, key) =>
          creations.once(
            key,
            { operation: "links.make", request: written },
            (claim) => makeOne(written, by, claim, key !== undefined),
            repeated,
          ),
        ),
        find: Effect.fn("ConnectLinks.find")(function* (secret) {
          const found = Option.getOrUndefined(yield* attempts.find(fingerprints.ofToken(secret)));
          const now = yield* Clock.currentTimeMillis;
          if (found?._tag !== "Link" || now >= found.expiresAt) return yield* new LinkExpired();
          return (yield* isKeyLive(keys, found.request, now)) ? found : yield* new LinkExpired();
        }),
        askerOf: Effect.fn("ConnectLinks.askerOf")(function* ({ request, redirectUrl }) {
          const key = request.key === undefined ? undefined : Option.getOrUndefined(yield* keys.find(request.key));
          const known = key === undefined ? Option.none() : yield* applications.find(key.application);
          const { displayName = null, purpose = null, logo = null, colour = null } = Option.getOrUndefined(known) ?? {};
          const name = displayName ?? key?.application ?? new URL(redirectUrl).hostname;
          return { name, purpose, logo, colour, scopes: key?.scopes ?? [] };
        }),
        close: Effect.fnUntraced(function* (secret) {
          if (Option.isNone(yield* attempts.take(fingerprints.ofToken(secret)))) return yield* new LinkExpired();
        }),
      });
    }),
  );
}
