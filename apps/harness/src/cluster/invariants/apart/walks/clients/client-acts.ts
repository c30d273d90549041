import { Effect, type Result } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { DAY, HOUR, SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import { operatorAudit } from "../operator-audit.ts";
import type { WalkedClients } from "./walked-clients.ts";

/** A time longer than until the next sweep. */
const SWEPT = 2 * HOUR;
/** The error of a clock. */
const SOON = 10 * SECOND;
/** How long a key of a creation is known, less the error of a clock. */
const REPEATED = 23 * HOUR;
/** The time between two creations, because those of one instant are in the order of their ids. */
const TICK = 10;
const WRONG = [
  { redirectUris: [] },
  { redirectUris: ["http://one.sim.test/done"] },
  { redirectUris: ["https://one.sim.test/done", "https://user@one.sim.test/"] },
  { redirectUris: ["https://one.sim.test/done#fragment"] },
  { redirectUris: ["program:done"] },
  { name: "" },
  { name: "two\nlines" },
];

/** The stored clients: the operator makes, lists and deletes them, and programs register themselves. */
export const clientActs = (visit: Visit, cluster: Cluster, clients: WalkedClients): ReadonlyArray<Act> => {
  const { random } = cluster;
  const { all, live, use, drawUris, endsAt } = clients;
  const keys = new Map<string, { readonly id: string; readonly name: string; readonly at: number }>();
  const audit = operatorAudit(visit);
  let count = 0;
  const tagOf = (answer: Result.Result<unknown, { readonly _tag: string }>) =>
    answer._tag === "Success" ? "Answered" : answer.failure._tag;
  const draw = () => ({ name: `Client ${++count}`, redirectUris: drawUris() });
  const keep = (
    source: "operator" | "registered",
    written: ReturnType<typeof draw>,
    found: { readonly id: string },
  ) => {
    visit.expect(
      all.every(({ id }) => id !== found.id),
      "two clients have one id",
    );
    all.push({ ...written, id: found.id, source, createdAt: visit.now, isGone: false });
  };

  const make = Effect.gen(function* () {
    const [written, key] = [draw(), random.chance(0.5) ? `key ${count}` : undefined];
    const claim = key === undefined ? undefined : { caller: "admin", key, account: null };
    const answer = yield* use((ask) => ask.make(written, claim));
    if (answer._tag === "Failure") return visit.expect(false, `a client is refused with ${answer.failure._tag}`);
    keep("operator", written, answer.success);
    if (key !== undefined) keys.set(key, { id: answer.success.id, name: written.name, at: visit.now });
    yield* audit.promise("oauthClients.make", answer.success.id);
  });
  /** A repeated creation makes no second client, and another request with its key none at all. */
  const makeAgain = Effect.gen(function* () {
    const [key, first] = random.pick([...keys])!;
    if (visit.now - first.at > REPEATED) return void keys.delete(key);
    const before = all.find(({ id }) => id === first.id)!;
    const isSame = random.chance(0.7);
    const written = { name: isSame ? first.name : "another", redirectUris: before.redirectUris };
    const answer = yield* use((ask) => ask.make(written, { caller: "admin", key, account: null }));
    visit.same(
      answer._tag === "Success" ? answer.success.id : answer.failure._tag,
      isSame ? (before.isGone ? "CreatedThenDeleted" : first.id) : "IdempotencyKeyReused",
      "a creation of a client with the key of an earlier one",
    );
  });
  const register = Effect.gen(function* () {
    const written = draw();
    const answer = yield* use((ask) => ask.register(written));
    if (answer._tag === "Failure") return visit.expect(false, `a registration is refused with ${answer.failure._tag}`);
    keep("registered", written, answer.success);
    yield* visit.wait(TICK);
  });
  const makeWrongly = Effect.gen(function* () {
    const written = { ...draw(), ...random.pick(WRONG) };
    const tag = random.chance(0.5)
      ? tagOf(yield* use((ask) => ask.make(written)))
      : tagOf(yield* use((ask) => ask.register(written)));
    visit.same(tag, "InputInvalid", `a client with ${JSON.stringify(written)}`);
  });
  const remove = Effect.gen(function* () {
    const one = random.pick(live())!;
    visit.same(tagOf(yield* use((ask) => ask.remove(one.id))), "Answered", "the end of a client");
    one.isGone = true;
    yield* audit.promise("oauthClients.remove", one.id);
    visit.same(tagOf(yield* use((ask) => ask.remove(one.id))), "OAuthClientNotFound", "the second end of a client");
  });
  /** Each client is listed once, newest first; an old one may be listed until it is swept. */
  const compare = Effect.gen(function* () {
    const found: Array<unknown> = [];
    for (let cursor: string | undefined; ;) {
      const answer = yield* use((ask) => ask.page({ limit: random.between(1, 5), cursor }));
      if (answer._tag === "Failure") return visit.expect(false, "the clients are not listed");
      for (const { id, name, redirectUris, source } of answer.success.items)
        found.push([id, name, redirectUris, source]);
      if (answer.success.nextCursor === null) break;
      cursor = answer.success.nextCursor;
    }
    const sweeping = new Set(
      all.flatMap((one) => (visit.now >= endsAt(one) - SOON && visit.now < endsAt(one) + SWEPT ? [one.id] : [])),
    );
    visit.same(
      found.filter((one) => !sweeping.has((one as ReadonlyArray<string>)[0]!)),
      live()
        .filter(({ id }) => !sweeping.has(id))
        .toReversed()
        .map(({ id, name, redirectUris, source }) => [id, name, redirectUris, source]),
      "the clients",
    );
    if (visit.now <= (all[0]?.createdAt ?? visit.now) + 80 * DAY) yield* audit.compare;
  });

  const act = (name: string, weight: number, run: Effect.Effect<unknown, unknown>, isPossible = () => true) => ({
    name,
    weight,
    isPossible,
    run: Effect.andThen(run, compare),
  });
  return [
    act("make a client", 3, make, () => live().length < 6),
    act("make a client again", 3, makeAgain, () => keys.size > 0),
    act("register", 2, register, () => live().length < 6),
    act("make a client wrongly", 2, makeWrongly),
    act(
      "days pass",
      2,
      Effect.suspend(() => visit.skip(random.between(2, 20) * DAY)),
    ),
    act("delete a client", 1, remove, () => live().length > 0),
  ];
};
