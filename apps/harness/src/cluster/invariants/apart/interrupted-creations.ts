import { Effect, Option } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { Visit } from "../../Visit.ts";
import { SECOND } from "./durations.ts";
import { KEYED } from "./keyed-creations.ts";

/** The number of creations of a kind, so that some are interrupted before their object is made, and some after. */
const TIMES = 8;
/** The longest time after which a client disconnects, in milliseconds. */
const PATIENCE = 90;
/** The longest time of an answer of a slow server, in milliseconds. */
const SLOW = 60;

/**
 * Two clients repeat at once the creation of a draft that the mail server refused. One of them looks for the draft slowly. In the
 * meantime the other one stores it, and the connection fails before the answer. [S2.6-8] [S2.6-9]
 */
export const repeatTwice = (visit: Visit, { servers }: Cluster) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("repeated-twice");
    const { create, names } = KEYED["draft"]!;
    const key = { caller: account, key: "twice", account };
    const ask = visit.ask("a creation", (services) => create(services, "repeated", key));
    servers.refusals.set(account, "over_quota");
    yield* Effect.result(ask);
    servers.refusals.delete(account);
    let searches = 0;
    servers.lateness = ({ port, method }) => {
      if (port !== "DraftsFolder") return 0;
      return method === "append" ? 4 * SLOW : searches++ === 0 ? 0 : 8 * SLOW;
    };
    const loseAnswer = Effect.gen(function* () {
      yield* visit.wait(3 * SLOW);
      servers.unreachable.add(account);
      yield* visit.wait(4 * SLOW);
      servers.unreachable.delete(account);
    });
    yield* Effect.all([ask, ask, loseAnswer].map(Effect.result), { concurrency: 3 });
    servers.lateness = null;
    yield* ask;
    const found = yield* visit.ask("names", (services) => names(services, account));
    visit.same(found, ["repeated"], "what two repeats of a creation made");
  });

/**
 * A creation fails, because its client disconnects or the mail server refuses it: its repeat finds the object or
 * creates it, at once and once. [S2.6-8] [S2.6-9]
 */
export const interruptCreations = (visit: Visit, { random, servers }: Cluster, kind: string) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp(`interrupted-${kind}`);
    const { create, names } = KEYED[kind]!;
    const made: Array<string> = [];
    for (let n = 0; n < TIMES; n++) {
      const [name, key] = [`interrupted-${n}`, { caller: account, key: `key ${n}`, account }];
      const isRefused = random.chance(0.25);
      if (isRefused) servers.refusals.set(account, random.pick(["not_permitted", "over_quota"]));
      servers.lateness = ({ port }) =>
        ["DraftsFolder", "MailboxChanges"].includes(port) ? random.between(0, SLOW) : 0;
      const cutOff = Effect.suspend(() => {
        const patience = random.between(1, isRefused ? 2 * SECOND : PATIENCE);
        return Effect.result(
          visit.ask("a creation whose client disconnects", (services) =>
            Effect.timeoutOption(create(services, name, key), patience),
          ),
        );
      });
      const answers = [yield* cutOff];
      // Two clients repeat it at once, each of which may find the key free before the other one takes it.
      if (random.chance(0.8)) answers.push(...(yield* Effect.all([cutOff, cutOff], { concurrency: 2 })));
      servers.lateness = null;
      servers.refusals.delete(account);
      const ask = Effect.match(
        visit.ask("a repeated creation", (services) => create(services, name, key)),
        { onFailure: ({ _tag }) => _tag, onSuccess: ({ id }) => id },
      );
      const ids = [yield* ask, yield* ask];
      for (const answer of answers)
        if (answer._tag === "Success" && Option.isSome(answer.success)) ids.push(answer.success.value.id);
      visit.expect(
        !["CreationInProgress", "CreatedThenDeleted", "IdempotencyKeyReused"].includes(ids[0]!),
        `the repeat of an interrupted creation of a ${kind} is ${ids[0]}`,
      );
      visit.same(new Set(ids).size, 1, `the number of answers to an interrupted creation of a ${kind}`);
      made.push(name);
    }
    const found = yield* visit.ask("names", (services) => names(services, account));
    visit.same(
      found.filter((name) => made.includes(name)).toSorted(),
      made.toSorted(),
      `what interrupted creations of a ${kind} made`,
    );
  });
