import { Effect } from "effect";
import { DAY } from "../durations.ts";
import type { Operator } from "./operator.ts";

/** Each change of a key changes one field. */
export const changeFields = ({ visit, keys, make, find }: Operator): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const policy = { to: ["@far.test"], perDay: 3, approval: "outside" } as const;
    const given = {
      name: "given",
      scopes: ["mail:send"],
      accounts: ["*@sim.test"],
      networks: ["192.0.2.71"],
      expiresAt: visit.now + 9 * DAY,
      sendPerDay: 5,
      sendPolicy: policy,
      notify: "owner@sim.test",
    } as const;
    const { key } = yield* make("fields", given);
    let promised = { ...given, id: key.id, application: "fields", createdAt: key.createdAt, lastUsedAt: null };
    const show = (what: string) =>
      Effect.map(find(key.id), (found) => {
        const ordered = Object.fromEntries(
          Object.keys(promised).map((field) => [field, found?.[field as "id"] ?? null]),
        );
        visit.same(ordered, promised, `a key after ${what}`);
      });
    yield* show("its creation");
    const changes = [
      { name: "renamed" },
      { scopes: ["mail:read", "mail:send"] },
      { accounts: ["tag:one"] },
      { networks: ["192.0.2.72"] },
      { expiresAt: visit.now + 8 * DAY },
      { sendPerDay: 6 },
      { sendPolicy: { ...policy, to: ["thread"] } },
      { notify: "other@sim.test" },
      { accounts: null },
      { networks: null },
      { expiresAt: null },
      { sendPerDay: null },
      { sendPolicy: null },
      { notify: null },
    ] as const;
    for (const change of changes) {
      yield* keys((all) => all.change(key.id, change));
      promised = { ...promised, ...change } as typeof promised;
      yield* show(`a change of ${Object.keys(change).join()}`);
    }
    const { key: own } = yield* make(null);
    visit.same(own.application, own.id, "the application of a key without one");
  });
