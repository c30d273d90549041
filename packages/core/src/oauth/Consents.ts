import { Clock, Context, Duration, Effect, Layer, Option, Redacted } from "effect";
import { Fingerprints, isSameHash } from "../auth/index.ts";
import { Entropy, type StoreUnavailable } from "../shared/index.ts";
import { Apps } from "./Apps.ts";
import type { Consent } from "./ConnectAttempt.ts";
import { LINK_LIFETIME } from "./ConnectLinks.ts";
import {
  type AppNotFound,
  type CallbackRejected,
  type ConsentDenied,
  ConsentExpired,
  type ProviderError,
  TooManyConsents,
} from "./errors.ts";
import { OAuthSettings } from "./OAuthSettings.ts";
import type { OfferedGrant } from "./OfferedGrant.ts";
import { AuthorizationServer } from "./ports/AuthorizationServer.ts";
import { ConnectAttempts } from "./ports/ConnectAttempts.ts";

/** The maximum number of consents in progress from one network. */
const MAX_FROM_NETWORK = 50;

/** The consent for which a browser is redirected to a provider. */
export interface ConsentStart {
  readonly app: string;
  /** The address of the mailbox; null if the provider's answer determines it. */
  readonly address: string | null;
  /** The secret of the link; null for a sign-in. */
  readonly link: Redacted.Redacted | null;
  /** The secret in a cookie of the browser, created for this consent. */
  readonly browser: Redacted.Redacted;
  readonly network: string;
}

/** Redirects browsers to providers and handles their return (spec 11.3). Each consent is valid once, in the browser that began it. */
export class Consents extends Context.Service<
  Consents,
  {
    /** The URL to which providers redirect browsers back; it is registered at each provider. */
    readonly redirectUri: string;
    /** Returns the URL at which the user consents, and the `state` in it. */
    readonly begin: (
      start: ConsentStart,
    ) => Effect.Effect<
      { readonly url: string; readonly state: string },
      AppNotFound | ProviderError | TooManyConsents | StoreUnavailable
    >;
    /** Returns the consent of a callback, and ends the consent, so that a second callback finds none. */
    readonly take: (
      state: string,
      browser: Redacted.Redacted,
    ) => Effect.Effect<Consent, ConsentExpired | StoreUnavailable>;
    /** Exchanges the code of the callback for tokens. */
    readonly finish: (
      consent: Consent,
      state: string,
      callbackUrl: Redacted.Redacted,
    ) => Effect.Effect<OfferedGrant, AppNotFound | CallbackRejected | ConsentDenied | ProviderError | StoreUnavailable>;
  }
>()("@postern/core/oauth/Consents") {
  static readonly layer = Layer.effect(
    Consents,
    Effect.gen(function* () {
      const { baseUrl } = yield* OAuthSettings;
      const redirectUri = `${baseUrl}/oauth/callback`;
      const apps = yield* Apps;
      const server = yield* AuthorizationServer;
      const attempts = yield* ConnectAttempts;
      const fingerprints = yield* Fingerprints;
      const entropy = yield* Entropy;

      return Consents.of({
        redirectUri,
        begin: Effect.fn("Consents.begin")(function* ({ app: id, address, link, browser, network }) {
          const now = yield* Clock.currentTimeMillis;
          if ((yield* attempts.countFrom(network, now)) >= MAX_FROM_NETWORK) return yield* new TooManyConsents();
          const app = yield* apps.get(id);
          const [state, nonce] = [yield* entropy.id(256), yield* entropy.id(256)];
          const verifier = Redacted.make(yield* entropy.id(384));
          const url = yield* server.authorizationUrl(app, { redirectUri, state, nonce, verifier, loginHint: address });
          yield* attempts.insert({
            _tag: "Consent",
            id: fingerprints.ofToken(state),
            expiresAt: now + Duration.toMillis(LINK_LIFETIME),
            browser: fingerprints.ofToken(Redacted.value(browser)),
            app: id,
            nonce,
            verifier,
            address,
            link,
            network,
          });
          return { url, state };
        }),

        take: Effect.fn("Consents.take")(function* (state, browser) {
          const id = fingerprints.ofToken(state);
          const known = fingerprints.ofToken(Redacted.value(browser));
          const found = Option.getOrUndefined(yield* attempts.find(id));
          // A callback from another browser does not end the consent.
          if (found?._tag !== "Consent" || !isSameHash(found.browser, known)) return yield* new ConsentExpired();
          const taken = Option.getOrUndefined(yield* attempts.take(id));
          const now = yield* Clock.currentTimeMillis;
          return taken?._tag === "Consent" && now < taken.expiresAt ? taken : yield* new ConsentExpired();
        }),

        finish: Effect.fn("Consents.finish")(function* ({ app: id, nonce, verifier }, state, callbackUrl) {
          const app = yield* apps.get(id);
          const askedAt = yield* Clock.currentTimeMillis;
          const issued = yield* server.exchange(app, { redirectUri, state, nonce, verifier, callbackUrl });
          return { app, token: issued.accessToken, issued, askedAt, delegateOf: null };
        }),
      });
    }),
  );
}
