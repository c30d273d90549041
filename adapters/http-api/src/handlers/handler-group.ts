import { Context, Effect, Layer } from "effect";
import { HttpApiBuilder } from "effect/http-api";

/** Key prefixes of the services that a request may use: the services of this adapter, of its contract and of Effect. */
const KEPT = ["@postern/http-api/", "@postern/api/"];

/**
 * Removes the services of the core from a group's context, because handlers take these services when they are built.
 * The framework copies the context of the group into each request. With these services, the copies took 7 KB and 6 % of
 * the time of a small request.
 */
const forRequests = (context: Context.Context<never>): Context.Context<never> =>
  Context.makeUnsafe(
    new Map(
      [...context.mapUnsafe].filter(
        ([key]) => !key.startsWith("@postern/") || KEPT.some((prefix) => key.startsWith(prefix)),
      ),
    ),
  );

/**
 * Builds the handlers of a group of the API like `HttpApiBuilder.group`. The handlers cannot require services at a
 * request.
 */
export const handlerGroup = ((...[api, name, build]: Parameters<typeof HttpApiBuilder.group>) =>
  Layer.effectContext(
    Effect.contextWith((services: Context.Context<never>) => {
      const group = HttpApiBuilder.group(api, name, (handlers) => {
        const built = build(handlers);
        return (Effect.isEffect(built) ? Effect.provideContext(built, services) : built) as typeof built;
      });
      return Effect.updateContext(Layer.build(group), forRequests as never);
    }),
  )) as typeof HttpApiBuilder.group;
