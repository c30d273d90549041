import { AuthorizationServer, type OAuthApp, ProviderUnavailable } from "@postern/core/oauth";
import { AccountId } from "@postern/core/shared";
import { AuthorizationServerInMemory, type ProviderConduct, ProviderInMemory, TokenProvider } from "@postern/memory";
import { Clock, Context, Effect, Layer, Redacted } from "effect";
import { Incarnation } from "../timeline/Incarnation.ts";
import type { SeededRandom } from "../timeline/SeededRandom.ts";
import type { Timeline } from "../timeline/Timeline.ts";

/**
 * The lifetime of an access token in seconds, long enough that a node whose clock is off by a second does not use the
 * token too long.
 */
const LIFETIME = 45;

/** A provider with one app and one user, who has one account. */
export interface SimulatedProvider {
  readonly app: OAuthApp;
  readonly account: AccountId;
  readonly tokens: TokenProvider;
  readonly server: AuthorizationServer["Service"];
  /** The longest wait before and after the provider processes a request, in milliseconds. */
  slow: number;
  /** The time for which the provider delays its next answers, in milliseconds; normally 0. */
  silence: number;
  /** Whether the user is in the middle of a consent. */
  isConsenting: boolean;
}

/** A refresh token that reached its provider. */
export interface PresentedToken {
  readonly node: Incarnation;
  readonly account: AccountId;
  readonly refreshToken: string;
}

/** Two OAuth2 providers, one of which accepts each refresh token once. Their clock shows the true time. */
export class OAuthProviders {
  readonly all: ReadonlyArray<SimulatedProvider>;
  /** Called with each refresh token that reaches its provider. */
  readonly observers: Array<(presented: PresentedToken) => void> = [];
  readonly #timeline: Timeline;
  readonly #random: SeededRandom;
  readonly #clock: Clock.Clock;

  constructor(timeline: Timeline, random: SeededRandom) {
    this.#timeline = timeline;
    this.#random = random;
    this.#clock = new Incarnation("provider", timeline, { offset: 0, drift: 1 }).clock;
    this.all = (["strict", random.pick(["lenient", "none"] as const)] as const).map((rotation) => {
      const tokens = new TokenProvider(`https://${rotation}.sim.test`);
      tokens.register(rotation, "secret");
      tokens.conduct = { rotation, lifetime: LIFETIME };
      const layer = Layer.provide(AuthorizationServerInMemory, Layer.succeed(ProviderInMemory, tokens));
      const server = Context.get(Effect.runSync(Effect.scoped(Layer.build(layer))), AuthorizationServer);
      return {
        app: appOf(rotation),
        account: AccountId(`${rotation}@sim.test`),
        tokens,
        server,
        slow: 0,
        silence: 0,
        isConsenting: false,
      };
    });
  }

  /** Returns the address whose mailbox an access token opens now. */
  userOf(accessToken: string): string | undefined {
    for (const { tokens } of this.all) {
      const user = tokens.userOf(accessToken, this.#timeline.now);
      if (user !== undefined) return user;
    }
    return undefined;
  }

  /** Makes the requests to a provider fail for a while. */
  fail({ tokens }: SimulatedProvider, conduct: Pick<ProviderConduct, "isDown" | "refusal">, millis: number): void {
    const { rotation, lifetime } = tokens.conduct;
    tokens.conduct = { rotation: rotation!, lifetime: lifetime!, ...conduct };
    this.#timeline.after(millis, () => (tokens.conduct = { rotation: rotation!, lifetime: lifetime! }));
  }

  /** Makes every later request succeed. */
  repair(): void {
    for (const provider of this.all) {
      this.fail(provider, {}, 0);
      provider.slow = 0;
    }
  }

  /** Returns the port of a node. */
  serverOf(node: Incarnation): AuthorizationServer["Service"] {
    const ask = <A, E>(
      { clientId }: OAuthApp,
      request: (provider: SimulatedProvider) => Effect.Effect<A, E>,
    ): Effect.Effect<A, E | ProviderUnavailable> => {
      const provider = this.all.find(({ app }) => app.clientId === clientId);
      if (provider === undefined) return Effect.fail(new ProviderUnavailable({ retryAfter: null }));
      const wait = Effect.suspend(() =>
        provider.slow === 0
          ? Effect.void
          : Effect.andThen(node.wait(this.#random.between(0, provider.slow)), node.gate),
      );
      const silent = Effect.suspend(() =>
        provider.silence === 0 ? Effect.void : Effect.andThen(node.wait(provider.silence), node.gate),
      );
      const answered = Effect.suspend(() => Effect.provideService(request(provider), Clock.Clock, this.#clock));
      return Effect.andThen(wait, Effect.tap(Effect.exit(answered), Effect.andThen(silent, wait))).pipe(
        Effect.flatMap((exit) => exit),
      );
    };
    return {
      authorizationUrl: (app, request) => ask(app, ({ server }) => server.authorizationUrl(app, request)),
      exchange: (app, request) => ask(app, ({ server }) => server.exchange(app, request)),
      refresh: (app, refreshToken) =>
        ask(app, ({ account, server, tokens }) => {
          if (tokens.conduct.isDown !== true) {
            const presented = { node, account, refreshToken: Redacted.value(refreshToken) };
            for (const observer of this.observers) observer(presented);
          }
          return server.refresh(app, refreshToken);
        }),
      issue: (app, account) => ask(app, ({ server }) => server.issue(app, account)),
      startDevice: (app) => ask(app, ({ server }) => server.startDevice(app)),
      pollDevice: (app, deviceCode) => ask(app, ({ server }) => server.pollDevice(app, deviceCode)),
    };
  }
}

const appOf = (id: string): OAuthApp => ({
  id,
  label: null,
  provider: "oidc",
  issuer: `https://${id}.sim.test`,
  tenant: null,
  clientId: id,
  secret: { _tag: "ClientSecret", value: Redacted.make("secret") },
  mode: "delegated",
  tokenUrl: null,
  scopes: null,
  servers: null,
  domains: [],
});
