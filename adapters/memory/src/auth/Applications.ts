import { type Application, Applications, type ServiceKey } from "@postern/core/auth";
import { Effect, HashMap, Layer, Option } from "effect";
import { Memory } from "../store/Memory.ts";

type Profile = Omit<Application, "name" | "keys" | "suspendedAt">;

const NONE: Profile = { displayName: null, purpose: null, colour: null, logo: null, notify: null };

/** Applications, stored in the cells of their keys and suspensions, and in a cell of their profiles. */
export const layer = Layer.effect(
  Applications,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const keys = yield* cell("service keys", HashMap.empty<string, { readonly key: ServiceKey }>());
    const suspended = yield* cell("suspended applications", HashMap.empty<string, number>());
    const profiles = yield* cell("application profiles", HashMap.empty<string, Profile>());

    const all = Effect.gen(function* () {
      const [known, since, shown] = [yield* keys.get, yield* suspended.get, yield* profiles.get];
      const byName = Map.groupBy(HashMap.values(known), ({ key }) => key.application);
      return [...byName].map(([name, some]): Application => ({
        ...Option.getOrElse(HashMap.get(shown, name), () => NONE),
        name,
        keys: some.length,
        suspendedAt: Option.getOrNull(HashMap.get(since, name)),
      }));
    });
    const find = (name: string) =>
      Effect.map(all, (some) => Option.fromUndefinedOr(some.find((one) => one.name === name)));

    return Applications.of({
      list: (after, limit) =>
        Effect.map(all, (some) =>
          some
            .filter(({ name }) => name > after)
            .toSorted((one, other) => (one.name < other.name ? -1 : 1))
            .slice(0, limit),
        ),
      find,
      change: Effect.fnUntraced(function* (name, decide) {
        const known = yield* find(name);
        if (Option.isNone(known)) return Option.none();
        return yield* profiles.modify((shown): readonly [Option.Option<Application | undefined>, typeof shown] => {
          const after = decide({ ...known.value, ...Option.getOrElse(HashMap.get(shown, name), () => NONE) });
          if (after === undefined) return [Option.some(after), shown];
          const { displayName, purpose, colour, logo, notify } = after;
          return [Option.some(after), HashMap.set(shown, name, { displayName, purpose, colour, logo, notify })];
        });
      }),
      forget: (name) => profiles.modify((shown) => [undefined, HashMap.remove(shown, name)]),
    });
  }),
);
