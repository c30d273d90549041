import { ServiceKeys, Sessions } from "@postern/core/auth";
import { Endpoints } from "@postern/core/webhooks";
import { Effect, Option } from "effect";
import { type Plant, plant } from "./Plant.ts";

/** Bugs of authentication and accounts. */
export const accountPlants: ReadonlyArray<Plant> = [
  plant("logout-not-stored", "a logout is answered and not stored", Sessions, () => ({
    remove: () => Effect.succeed(true),
  })),
  plant("session-cached", "a node keeps sessions that it found", Sessions, (real) => {
    const found = new Map<string, Effect.Success<ReturnType<typeof real.find>>>();
    return {
      find: (id) => {
        const known = found.get(id);
        if (known !== undefined) return Effect.succeed(known);
        return Effect.tap(real.find(id), (session) =>
          Effect.sync(() => Option.isSome(session) && found.set(id, session)),
        );
      },
    };
  }),
  plant("refresh-not-stored", "a refresh token is exchanged without being replaced", Sessions, (real) => ({
    change: (id, decide) =>
      Effect.map(
        real.find(id),
        Option.map((session) => decide(session)[0]),
      ),
  })),
  plant("key-cached", "a node keeps service keys that it found", ServiceKeys, (real) => {
    const found = new Map<string, Effect.Success<ReturnType<typeof real.findByHash>>>();
    return {
      findByHash: (id, hash) => {
        const known = found.get(`${id} ${hash}`);
        if (known !== undefined) return Effect.succeed(known);
        return Effect.tap(real.findByHash(id, hash), (key) =>
          Effect.sync(() => Option.isSome(key) && found.set(`${id} ${hash}`, key)),
        );
      },
    };
  }),
  plant("key-deletion-not-stored", "the deletion of a key is answered and not stored", ServiceKeys, () => ({
    remove: () => Effect.succeed(true),
  })),
  plant("removal-not-reported", "the removal of an account is reported to no application", Endpoints, (real) => ({
    findSubscribed: (account, entries, type) =>
      type === "account.removed" ? Effect.succeed([]) : real.findSubscribed(account, entries, type),
  })),
];
