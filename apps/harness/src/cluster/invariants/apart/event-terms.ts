import { FolderManagement } from "@postern/core/folders";
import { LiveEvents } from "@postern/core/lifecycle";
import { Context, Effect, Stream } from "effect";
import { eventsOf } from "../../events-of.ts";
import type { Invariant } from "../../Invariant.ts";
import { type Owner, ownerOf } from "../webhooks/owner-of.ts";
import { DAY, HOUR, MINUTE, SECOND } from "./durations.ts";

type FeedRequest = Parameters<LiveEvents["Service"]["readFeed"]>[0];

/** The maximum time until an event is delivered. */
const SOON = 6 * SECOND;
/** The time for which events are kept. */
const KEPT = 14 * DAY;

/**
 * Events can be read, resumed and replayed for 14 days, and no longer. A reader whose position is no longer kept, or is of
 * another database, gets 410. A stream that resumes after an item gets exactly what followed, of its folders.
 * [S7.5-10] [S7.9-2] [S7.9-3] [S7.10-1] [S7.10-4] [S7.10-5] [S7.11-7]
 */
export const eventTerms: Invariant = {
  name: "event-terms",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        const account = yield* visit.signUp("kept");
        yield* readAsLongAsKept(ownerOf(visit, cluster, account));
        const unwatched = yield* visit.signUp("unwatched");
        const read = visit.tagOf("read the feed", (services) =>
          Context.get(services, LiveEvents).readFeed({}, Effect.succeed({ account: unwatched })),
        );
        visit.same(yield* read, "NotFollowed", "the feed of an account that is not watched");
      }),
  }),
};

const readAsLongAsKept = ({ visit, cluster, owner: { account }, owner, ask, create, arrive, page }: Owner) =>
  Effect.gen(function* () {
    const read = (request: FeedRequest) =>
      Effect.result(
        visit.ask("read the feed", (services) =>
          Context.get(services, LiveEvents).readFeed(request, Effect.succeed({ account })),
        ),
      );
    const idsAfter = (after: string) =>
      Effect.map(read({ after }), (part) =>
        part._tag === "Success" ? part.success.events.map(({ id }) => id) : part.failure._tag,
      );
    const follow = (after: string | undefined, folders?: string) =>
      visit.ask("follow", (services) =>
        Effect.gen(function* () {
          const items = yield* Context.get(services, LiveEvents).open(account, after, Effect.succeed(true), folders);
          const all: Array<string> = [];
          yield* Stream.runForEach(Stream.interruptWhen(items, Effect.sleep(3 * SECOND)), (item) =>
            Effect.sync(
              () =>
                void all.push(
                  item._tag === "Event" || item._tag === "Position" ? `${item._tag} ${item.id}` : item._tag,
                ),
            ),
          );
          return all.filter((item) => item !== "Heartbeat");
        }),
      );
    const isTold = (count: number) =>
      visit.within(SOON, "an event is missing", () => eventsOf(cluster, account).length === count);
    const { endpoint } = yield* create("https://visit.sim.test/kept");
    yield* ask("disable", (all) => all.disable(owner, endpoint.id));
    const folders = visit.ask("folders", (services) => Context.get(services, FolderManagement).list(account));
    yield* folders;
    const start = yield* read({});
    const begin = start._tag === "Success" ? start.success.next : "";
    const known = eventsOf(cluster, account).length;
    arrive();
    yield* isTold(known + 1);
    const at = visit.now;
    yield* visit.skip(DAY);
    arrive();
    cluster.mail.account(account).create("Told");
    yield* folders;
    yield* isTold(known + 3);
    const [first, ...later] = eventsOf(cluster, account)
      .slice(known)
      .map(({ id }) => id);
    visit.same(yield* idsAfter(begin), [first, ...later], "the feed from a position");
    visit.same(
      yield* follow(first),
      [`Position ${first}`, ...later.map((id) => `Event ${id}`)],
      "a stream after an event",
    );
    visit.same(yield* follow(undefined), [`Position ${later[1]}`], "a stream from now on");
    const ofJunk = later.filter((id) =>
      eventsOf(cluster, account)
        .find((event) => event.id === id)!
        .type.startsWith("folder."),
    );
    visit.same(
      (yield* follow(first, "junk")).slice(1),
      ofJunk.map((id) => `Event ${id}`),
      "a stream of Junk",
    );
    const second = yield* read({ after: begin, limit: 1 });
    const position = second._tag === "Success" ? second.success.next : "";
    for (const wrong of [position.replace(/^[^.]+/, "other"), position.replace(/\d+$/, "999999")]) {
      visit.same(yield* idsAfter(wrong), "FeedExpired", "a position of another database");
    }
    visit.same(yield* idsAfter("nowhere"), "InputInvalid", "a text that is no position");

    yield* visit.skip(at + KEPT - 10 * MINUTE - visit.now);
    visit.same(yield* idsAfter(begin), [first, ...later], "the feed before 14 days have passed");
    visit.same((yield* page(endpoint.id, "held")).length, 2, "the deliveries that are kept");
    yield* ask("enable", (all) => all.enable(owner, endpoint.id));
    const since = new Date(at - MINUTE).toISOString();
    const replay = Effect.result(ask("replay", (_, deliveries) => deliveries.replay(owner, endpoint.id, { since })));
    const replayed = yield* replay;
    visit.same(replayed._tag === "Success" && replayed.success.queued, 2, "a replay before 14 days have passed");
    yield* visit.wait(SOON);

    /** Passes the time after which what was told before is no longer kept; old rows are deleted every hour. */
    const outlive = (from: number) =>
      Effect.gen(function* () {
        yield* visit.skip(from + KEPT + HOUR - visit.now);
        for (let times = 0; times < 3; times++) yield* visit.skip(2 * HOUR);
      });
    const hasGap = (after: string) => Effect.map(follow(after.replace(/^.*\./, "")), (items) => items.includes("Gap"));
    yield* outlive(at);
    const expired = yield* read({ after: begin });
    visit.same(expired._tag === "Failure" && expired.failure._tag, "FeedExpired", "a position that is no longer kept");
    visit.same(yield* idsAfter(position), later, "the feed after an event that is no longer kept");
    visit.same(yield* hasGap(begin), true, "whether a stream tells of a gap");
    visit.same((yield* page(endpoint.id)).length, 1, "the deliveries that are kept some hours later");
    const late = yield* replay;
    visit.same(late._tag === "Failure" && late.failure._tag, "ReplayTooOld", "a replay after 14 days");

    const last = yield* read({});
    yield* outlive(visit.now);
    visit.same(
      eventsOf(cluster, account).length,
      0,
      "the number of events that are kept when nothing was told for long",
    );
    visit.same(yield* hasGap(position), true, "whether a stream tells of a gap when no event is kept");
    const end = last._tag === "Success" ? last.success.next : "";
    visit.same(yield* hasGap(end), false, "whether a stream that has every event tells of a gap");
  });
