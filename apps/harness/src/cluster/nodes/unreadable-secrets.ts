import { Endpoints } from "@postern/core/webhooks";
import { Effect, Layer, Option } from "effect";

/** Endpoints of which no node can decrypt the secrets of those in `unreadable`, until their secret is replaced. */
export const unreadableSecrets = (unreadable: Set<string>): Layer.Layer<Endpoints, never, Endpoints> =>
  Layer.effect(
    Endpoints,
    Effect.map(Endpoints, (endpoints) => ({
      ...endpoints,
      secrets: (ids) =>
        Effect.map(
          endpoints.secrets(ids),
          (found) => new Map([...found].map(([id, known]) => [id, unreadable.has(id) ? Option.none() : known])),
        ),
      replaceSecrets: (id, secrets) =>
        Effect.tap(endpoints.replaceSecrets(id, secrets), () => Effect.sync(() => unreadable.delete(id))),
    })),
  );
