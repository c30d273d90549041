import { Context, Effect, Layer } from "effect";
import { HttpApiBuilder } from "effect/http-api";

/** Prefixes of the keys of services that a request may ask for: those of this adapter and its contract, and Effect's. */
const KEPT = ["@postern/http-api/", "@postern/api/"];

/**
 * Handlers take the services of the core when they are built. The framework copies the context of the group into that
 * of each request, which cost 7 KB and 6 % of a small request while those services were in it.
 */
const forRequests = (context: Context.Context<never>): Context.Context<never> =>
  Context.makeUnsafe(
    new Map(
      [...context.mapUnsafe].filter(
        ([key]) => !key.startsWith("@postern/") || KEPT.some((prefix) => key.startsWith(prefix)),
      ),
    ),
  );

/** Builds the handlers of a group of the API like `HttpApiBuilder.group`. They cannot ask for services at a request. */
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
