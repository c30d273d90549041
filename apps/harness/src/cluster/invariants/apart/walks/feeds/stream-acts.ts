import type { MailEvent } from "@postern/core/events";
import { type LiveItem, LiveEvents } from "@postern/core/lifecycle";
import { Context, Effect, Option, Stream } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import { APPLICATION, type FeedModel, type Reach, tells, TOLD } from "./FeedModel.ts";
import { drawReach } from "./reading-acts.ts";

/** The time until a stream has begun to watch the mailboxes of its reach, and until it ends after its key. */
export const BEGUN = 3 * SECOND;
const ENDS = 2 * SECOND;
/** A time after which a stream has said where it is, and one that is longer than a mailbox is watched without a stream. */
const BEAT = 20 * SECOND;
const LONG = 80 * SECOND;

type Items = ReadonlyArray<LiveItem>;

const eventsIn = (items: Items): ReadonlyArray<MailEvent> =>
  items.flatMap((item) => (item._tag === "Event" ? [item.event] : []));
const gapsIn = (items: Items): number => items.filter(({ _tag }) => _tag === "Gap").length;
/** Returns the position that the last item gives; none after an event with a given id. */
const endOf = (items: Items): string | undefined =>
  items.flatMap((item) => (item._tag === "Event" || item._tag === "Position" ? [item.id] : [])).at(-1);

/** Acts that follow the feed of a key by streams. */
export const streamActs = (visit: Visit, { random }: Cluster, model: FeedModel): ReadonlyArray<Act> => {
  /** What the key reaches; undefined after its end. */
  let reach: Reach | undefined;
  /** Follows the feed until the key ends, which is at the end of `during`. */
  const follow = (of: Reach, after: string | undefined, during: (items: Items) => Effect.Effect<unknown, unknown>) =>
    Effect.gen(function* () {
      const items: Array<LiveItem> = [];
      let endedAt = 0;
      reach = of;
      const reader = Effect.sync(() =>
        reach === undefined ? Option.none() : Option.some({ reach, application: APPLICATION }),
      );
      const open = visit.ask("follow the feed", (services) =>
        Effect.gen(function* () {
          const all = yield* Context.get(services, LiveEvents).openFeed(after, reader);
          const read = Stream.runForEach(all, (item) => Effect.sync(() => void items.push(item)));
          // A stream is open for longer than a client waits for an answer.
          yield* Effect.forkDetach(
            Effect.andThen(
              read,
              Effect.sync(() => (endedAt = visit.now)),
            ),
          );
        }),
      );
      for (const one of model.reached(of)) one.early = [];
      yield* open;
      yield* visit.wait(BEGUN);
      yield* during(items);
      const before = visit.now;
      reach = undefined;
      yield* visit.within(ENDS, "a stream of a key does not end with the key", () => endedAt >= before);
      return items;
    });
  return [
    {
      name: "follow the feed",
      weight: 3,
      run: Effect.gen(function* () {
        const mine = drawReach(random, model);
        const place = random.pick([...model.places, undefined, undefined]);
        const after = (random.chance(0.5) ? place?.last : undefined) ?? place?.position;
        const from = place?.seen ?? model.told.length;
        const reached = model.reached(mine)[0]!;
        let messageId: string | undefined;
        const items = yield* follow(mine, after, () =>
          Effect.gen(function* () {
            if (random.chance(0.7)) messageId = reached.arrive();
            yield* model.createFolder(random.pick(model.accounts)!);
            if (random.chance(0.3)) yield* model.disable;
            yield* model.learn;
          }),
        );
        visit.same([gapsIn(items), items[0]?._tag], [0, "Position"], "the beginning of a stream of a key");
        visit.same(
          model.inGroups(eventsIn(items)),
          model.visible(mine, from),
          `a stream that reaches ${mine?.join(" ") ?? "all"} after ${after ?? "nothing"}`,
        );
        if (messageId !== undefined)
          visit.expect(tells(eventsIn(items), messageId), "a stream of a key misses mail of its reach");
        const last = items.findLast((item) => item._tag === "Event");
        if (last === undefined || random.chance(0.5)) return;
        const id = random.pick([last.id, last.event.id, last.event.id]);
        const known = model.told.length;
        const more = yield* follow(mine, id, () => Effect.andThen(model.createFolder(reached), model.learn));
        visit.same(model.inGroups(eventsIn(more)), model.visible(mine, known), `a stream that goes on after ${id}`);
      }),
    },
    {
      name: "follow the feed while the reach changes",
      weight: 2,
      run: Effect.gen(function* () {
        const [left, right] = [["tag:left"], ["tag:right"]];
        const [one, other] = [model.reached(left)[0]!, model.reached(right)[0]!];
        const begun = model.told.length;
        let [changed, position, messageId]: [number, string | undefined, string] = [0, undefined, ""];
        const items = yield* follow(left, undefined, (all) =>
          Effect.gen(function* () {
            yield* model.createFolder(one);
            yield* model.createFolder(other);
            yield* model.learn;
            changed = model.told.length;
            reach = right;
            yield* model.createFolder(one);
            yield* model.createFolder(other);
            yield* model.createFolder(one);
            yield* visit.wait(LONG);
            // The mailboxes of the present reach are watched.
            messageId = other.arrive();
            yield* visit.wait(TOLD);
            yield* model.createFolder(one);
            yield* model.learn;
            // Only the stream itself tells a client that events outside of the reach passed.
            yield* visit.wait(BEAT);
            position = endOf(all);
          }),
        );
        const before = new Set(model.visible(left, begun));
        const after = new Set(model.visible(right, changed));
        for (const id of model.visible(left, changed)) before.delete(id);
        visit.same(
          model.inGroups(eventsIn(items)),
          model.inGroups(model.told.filter(({ id }) => before.has(id) || after.has(id))),
          "a stream whose key gets another reach",
        );
        visit.expect(tells(eventsIn(items), messageId), "a long stream of a key misses mail of its present reach");
        if (position !== undefined) {
          const more = yield* follow(null, position, () => model.learn);
          visit.same(
            eventsIn(more).map(({ account, type }) => `${type} of ${account}`),
            [],
            "the events after a position that a stream gave after all events",
          );
        }
      }),
    },
    {
      name: "follow the feed from a place that is not kept",
      run: Effect.gen(function* () {
        const { position } = random.pick(model.places) ?? { position: "elsewhere.1" };
        const wrong = random.pick([
          position.replace(/^[^.]+/, "elsewhere"),
          position.replace(/\d+$/, "999999"),
          "evt_1",
        ]);
        const mine = drawReach(random, model);
        const from = model.told.length;
        const items = yield* follow(mine, wrong, () =>
          Effect.gen(function* () {
            yield* model.createFolder(model.reached(mine)[0]!);
            yield* model.learn;
          }),
        );
        visit.same([gapsIn(items), items[0]?._tag, items[1]?._tag], [1, "Gap", "Position"], `a stream after ${wrong}`);
        visit.same(model.inGroups(eventsIn(items)), model.visible(mine, from), "the events after a gap");
      }),
    },
  ];
};
