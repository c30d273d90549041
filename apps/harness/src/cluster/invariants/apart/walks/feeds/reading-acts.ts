import { LiveEvents } from "@postern/core/lifecycle";
import type { MailEvent } from "@postern/core/events";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { SeededRandom } from "../../../../timeline/SeededRandom.ts";
import type { Visit } from "../../../../Visit.ts";
import { SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import { APPLICATION, type FeedModel, type Reach } from "./FeedModel.ts";

type ReadFeed = LiveEvents["Service"]["readFeed"];
type Request = Parameters<ReadFeed>[0];
type Part = Effect.Success<ReturnType<ReadFeed>>;

/** A number of answers larger than the feed of a walk needs. */
const MAX_PARTS = 60;
const TYPES = ["folder.created", "webhook.disabled", "account.added", "email.received"];

/** Draws what a key reaches. */
export const drawReach = (random: SeededRandom, { accounts }: FeedModel): Reach =>
  random.pick([null, null, ["tag:left"], ["tag:right"], ["tag:left", "tag:right"], [accounts[1]!.id]]);

/** Acts that read parts of the feed of a key. */
export const readingActs = (visit: Visit, { random }: Cluster, model: FeedModel): ReadonlyArray<Act> => {
  const ask = (request: Request, reader: Effect.Effect<{ reach: Reach; application: string }, { _tag: "Ended" }>) =>
    visit.ask("read the feed", (services) => Context.get(services, LiveEvents).readFeed(request, reader));
  const read = (request: Request, reach: Reach, application = APPLICATION) =>
    ask(request, Effect.succeed({ reach, application }));
  return [
    {
      name: "read the feed",
      weight: 3,
      run: Effect.gen(function* () {
        const [reach, application] = [drawReach(random, model), random.pick([APPLICATION, "other"])!];
        const place = random.pick(model.places);
        if (place === undefined || random.chance(0.3)) {
          const { next: position, events } = yield* read({}, reach);
          visit.same(events.length, 0, "the events of the feed without a position");
          model.note(position);
        }
        if (place === undefined) return;
        if (random.chance(0.4)) yield* Effect.andThen(model.disable, model.learn);
        const types = random.chance(0.4) ? random.some(TYPES, 2) : [];
        const found: Array<MailEvent> = [];
        let after = place.position;
        for (let parts = 0; parts < MAX_PARTS; parts++) {
          const limit = random.pick([1, 2, 5, 100]);
          const request = { after, limit, ...(types.length > 0 && { types: types.join(",") }) };
          const part: Part = yield* read(request, reach, application);
          visit.expect(part.events.length <= limit, "an answer of the feed of a key has more than its limit");
          found.push(...part.events);
          after = part.next;
          if (part.events.length === 0 && !part.more) break;
        }
        const isOfType = (id: string) =>
          types.length === 0 || types.includes(model.told.find((e) => e.id === id)!.type);
        visit.same(
          model.inGroups(found),
          model.visible(reach, place.seen, application).filter(isOfType),
          `the feed of ${application} that reaches ${reach?.join(" ") ?? "all"}, of ${types.join(" ")}`,
        );
        model.note(after);
      }),
    },
    {
      name: "wait for an event of the feed while the key changes",
      weight: 2,
      run: Effect.gen(function* () {
        const { next: after } = yield* read({}, null);
        const [left, right] = random.chance(0.5) ? [["tag:left"], ["tag:right"]] : [["tag:right"], ["tag:left"]];
        let reader: Parameters<typeof ask>[1] = Effect.succeed({ reach: left!, application: APPLICATION });
        const [of, to] = [model.reached(left!)[0]!, model.reached(right!)[0]!];
        const end = random.pick(["same", "changed", "ended"] as const);
        const begun = visit.now;
        const change = Effect.gen(function* () {
          yield* visit.wait(2 * SECOND);
          if (end === "changed") reader = Effect.succeed({ reach: right!, application: APPLICATION });
          if (end === "ended") reader = Effect.fail({ _tag: "Ended" });
          for (const one of [to, of, to].slice(end === "changed" ? 1 : 0)) {
            yield* visit.wait(SECOND);
            yield* model.createFolder(one);
          }
        });
        const waiting = Effect.result(
          ask(
            { after, wait: 30 },
            Effect.suspend(() => reader),
          ),
        );
        const [answer] = yield* Effect.all([waiting, change], { concurrency: 2 });
        const tag =
          answer._tag === "Success" ? answer.success.events.map(({ account }) => account) : answer.failure._tag;
        const promised = end === "ended" ? "Ended" : [end === "changed" ? to.id : of.id];
        visit.same(tag, promised, `the answer to a request that waits while its key is ${end}`);
        visit.expect(visit.now - begun < 12 * SECOND, "a request that waits is not answered by an event of its reach");
      }),
    },
    {
      name: "read the feed from a wrong place",
      run: Effect.gen(function* () {
        const { next } = yield* read({}, null);
        const beyond = next.replace(/\d+$/, (digits) => String(Number(digits) + 1));
        for (const after of [next.replace(/^[^.]+/, "elsewhere"), beyond]) {
          const answer = yield* Effect.result(read({ after }, null));
          visit.same(
            answer._tag === "Failure" && answer.failure._tag === "FeedExpired" && answer.failure.next,
            next,
            `the end of the feed in the answer to ${after}`,
          );
        }
        for (const request of [{ after: "nowhere" }, { after: next, types: "email.received,email.unknown" }]) {
          const answer = yield* Effect.result(read(request, null));
          visit.same(
            answer._tag === "Failure" && answer.failure._tag,
            "InputInvalid",
            `a request for ${JSON.stringify(request)}`,
          );
        }
      }),
    },
  ];
};
