import type { OAuthApp } from "@postern/core/oauth";
import { Context, type Effect, type Scope } from "effect";
import type { Rotation } from "../oauth/provider-options.ts";

/** The initial behaviour of the provider of a contract. */
export interface ProviderConduct {
  readonly rotation?: Rotation;
  /** The lifetime of an access token in seconds. */
  readonly lifetime?: number;
  /** A refusal of every token request (RFC 6749, 5.2). */
  readonly refusal?: { readonly error: string; readonly error_description?: string };
  /** Whether the provider does not answer. */
  readonly isDown?: boolean;
}

/** An OpenID provider with an app in delegated mode, as a contract uses it. */
export interface ProvidedApp {
  readonly app: OAuthApp;
  readonly conduct: (conduct: ProviderConduct) => Effect.Effect<void>;
  /** Consents or, with null, denies at a consent URL; returns the URL of the callback. */
  readonly consent: (url: string, user: string | null) => Effect.Effect<string>;
  readonly decideDevice: (
    userCode: string,
    decision: { readonly user: string } | "denied" | "expired",
  ) => Effect.Effect<void>;
  /** Ends every consent of a user. */
  readonly revoke: (user: string) => Effect.Effect<void>;
  /** Returns the user of an access token that is valid now. */
  readonly userOf: (accessToken: string) => Effect.Effect<string | undefined>;
  /** Returns the number of token requests so far. */
  readonly requests: Effect.Effect<number>;
}

/** The providers of the contract of `AuthorizationServer`. */
export class OAuthProviders extends Context.Service<
  OAuthProviders,
  {
    /** Starts a provider whose refresh tokens can each be used once. */
    readonly start: Effect.Effect<ProvidedApp, never, Scope.Scope>;
    /** Starts a token service, and returns an app in hook mode. The service knows only users of example.org. */
    readonly startHook: Effect.Effect<OAuthApp, never, Scope.Scope>;
  }
>()("@postern/testkit/OAuthProviders") {}
