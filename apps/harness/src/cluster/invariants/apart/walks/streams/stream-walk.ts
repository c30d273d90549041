import { LiveEvents } from "@postern/core/lifecycle";
import { Context, Effect, Stream } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import { dataOf, eventsOf } from "../../../../events-of.ts";
import type { Invariant } from "../../../../Invariant.ts";
import type { Visit } from "../../../../Visit.ts";
import { ownerOf } from "../../../webhooks/owner-of.ts";
import { MINUTE, SECOND } from "../../durations.ts";
import { type Act, walk } from "../walk.ts";

const STEPS = 7;
/** How long an account is watched after its last stream, and the time around the end in which both are allowed. */
const WATCHED = MINUTE;
const MARGIN = { before: SECOND, after: 45 * SECOND };
/** The time until a started node follows the accounts of ended nodes, and until an arrival is told. */
const TAKEN_OVER = 40 * SECOND;
const TOLD = 8 * SECOND;
/** The duration of a long stream, during which the watch is extended. */
const LONG = 3 * MINUTE;

/**
 * An account that only streams watch is watched while one is open and for a minute longer, in which time without a running
 * process does not count: exactly the mail of that time is told, once and in order, also if all nodes stop for long, and a stream
 * goes on after any item. [S7.4-3] [S7.4-4] [S7.4-9] [S7.4-10] [S7.9-2] [S7.9-3]
 */
export const streamWalk: Invariant = {
  name: "stream-walk",
  watch: () => ({
    // In every other seed, because a seed must stay cheap.
    apart: (visit, cluster) => (visit.pickInTurn([true, false]) ? stream(visit, cluster) : Effect.void),
  }),
};

const stream = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const { random } = cluster;
    const account = yield* visit.signUp("streamed");
    const { arrive } = ownerOf(visit, cluster, account);
    /** The Message-IDs of the mail that must be told, and whether it arrived while no node ran; undefined if both are allowed. */
    const promised: Array<readonly [string, boolean | undefined]> = [];
    let [watchedUntil, isRunning, read] = [0, true, 0];
    let after: string | undefined;
    const isWatched = () => !isRunning || visit.now < watchedUntil - MARGIN.before;
    const isOver = () => visit.now > watchedUntil + MARGIN.after;
    const told = () => eventsOf(cluster, account, "email.received");

    const open = (millis: number) =>
      Effect.gen(function* () {
        const isFirst = isOver();
        const found = yield* visit.ask("follow", (services) =>
          Effect.gen(function* () {
            const ids: Array<unknown> = [];
            const items = yield* Context.get(services, LiveEvents).open(account, after, Effect.succeed(true));
            watchedUntil = visit.now + WATCHED;
            // Mail between the answer that begins a watch and the first poll is told like any other.
            if (isFirst && random.chance(0.5)) come(false);
            yield* Stream.runForEach(Stream.interruptWhen(items, Effect.sleep(millis)), (item) =>
              Effect.sync(() => {
                visit.expect(item._tag !== "Gap", "a stream has a gap");
                if (item._tag === "Event") ids.push(dataOf(item.event, "messageId"));
                if (item._tag === "Event" || item._tag === "Position") after = item.id;
              }),
            );
            return ids;
          }),
        );
        watchedUntil = visit.now + WATCHED;
        const all = promised.map(([messageId]) => messageId);
        visit.same(found, all.slice(read), "the arrivals in a stream");
        read = all.length;
        visit.same(
          told().map((event, n) => [
            dataOf(event, "messageId"),
            promised[n]?.[1] === undefined ? undefined : (dataOf(event, "backfill") ?? false),
          ]),
          promised,
          "the arrivals that are told, and whether they are from an outage",
        );
      });
    const come = (isOutage: boolean | undefined) => {
      const messageId = arrive();
      if (isWatched()) promised.push([messageId, isOutage]);
    };
    const acts: ReadonlyArray<Act> = [
      {
        name: "a stream is open for some seconds",
        weight: 3,
        run: Effect.suspend(() => open(random.pick([TOLD, 2 * TOLD]))),
      },
      {
        name: "a message arrives",
        weight: 3,
        isPossible: () => isWatched() || isOver(),
        run: Effect.gen(function* () {
          come(false);
          yield* visit.wait(TOLD);
        }),
      },
      {
        name: "a stream is open for minutes",
        run: Effect.gen(function* () {
          yield* visit.ask("follow", (services) =>
            Effect.gen(function* () {
              const items = yield* Context.get(services, LiveEvents).open(account, undefined, Effect.succeed(true));
              yield* Effect.forkDetach(Stream.runDrain(Stream.interruptWhen(items, Effect.sleep(LONG))));
            }),
          );
          watchedUntil = visit.now + LONG;
          yield* visit.wait(LONG - 2 * MARGIN.before);
          come(false);
          yield* visit.wait(2 * MARGIN.before);
          watchedUntil = visit.now + WATCHED;
        }),
      },
      { name: "seconds pass", run: Effect.suspend(() => visit.wait(random.between(1, 25) * SECOND)) },
      { name: "minutes pass", run: Effect.suspend(() => visit.wait(random.between(2, 4) * MINUTE)) },
      {
        name: "all nodes stop for minutes",
        weight: 2,
        isPossible: () => isWatched() || isOver(),
        run: Effect.gen(function* () {
          const isAlive = isWatched();
          for (let place = 0; place < cluster.size; place++) cluster.crash(place);
          isRunning = !isAlive;
          for (let rest = random.between(0, 3); rest >= 0; rest--) {
            yield* visit.wait(random.pick([5 * SECOND, MINUTE, 5 * MINUTE]));
            if (random.chance(0.6)) come(true);
          }
          for (let place = 0; place < cluster.size; place++) cluster.boot(place);
          isRunning = true;
          // The minute begins again.
          if (isAlive) watchedUntil = visit.now + WATCHED;
          yield* visit.wait(TAKEN_OVER);
          if (isAlive) {
            come(undefined);
            yield* visit.wait(2 * SECOND);
            yield* open(TOLD);
          }
        }),
      },
    ];
    yield* open(TOLD);
    yield* walk(visit, cluster, acts, STEPS);
  });
