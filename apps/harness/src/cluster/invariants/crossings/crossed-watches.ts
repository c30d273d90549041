import { FolderManagement } from "@postern/core/folders";
import { LiveEvents } from "@postern/core/lifecycle";
import { Context, Deferred, Effect, Stream } from "effect";
import { dataOf, eventsOf } from "../../events-of.ts";
import { ownerOf } from "../webhooks/owner-of.ts";
import type { Crossing } from "./Crossing.ts";

/** The maximum time until an event is delivered, in milliseconds. */
const SOON = 6_000;
/** The time for which a stream is read after the other request, in milliseconds. */
const LASTS = 2_000;

/**
 * A message that arrives after an account is watched is announced, even if another request also begins to watch the
 * account.
 */
export const watchedWhileWatched: Crossing = {
  name: "watched",
  prepare: (visit, cluster, account) =>
    Effect.sync(() => {
      const { create, arrive } = ownerOf(visit, cluster, account);
      let messageId: string | undefined;
      const isTold = () =>
        eventsOf(cluster, account, "email.received").filter((event) => dataOf(event, "messageId") === messageId)
          .length === 1;
      return {
        held: create("https://visit.sim.test/one"),
        meanwhile: Effect.map(create("https://visit.sim.test/other"), () => (messageId = arrive())),
        after: visit.within(SOON, "a message is not announced that arrived once the account was watched", isTold),
      };
    }),
};

/** A stream has every event after its starting id. */
export const followedWhileChanged: Crossing = {
  name: "followed",
  prepare: (visit, cluster, account) =>
    Effect.gen(function* () {
      const folders = <A, E>(use: (all: FolderManagement["Service"]) => Effect.Effect<A, E>) =>
        visit.ask("folders", (services) => use(Context.get(services, FolderManagement)));
      yield* folders((all) => all.list(account));
      yield* folders((all) => all.create(account, { name: "Before", parentId: null }));
      const changed = yield* Deferred.make<void>();
      let start: string | undefined;
      const seen: Array<string> = [];
      const stream = visit.ask("follow", (services) =>
        Effect.gen(function* () {
          const items = yield* Context.get(services, LiveEvents).open(account, undefined, Effect.succeed(true));
          const ended = Effect.andThen(Deferred.await(changed), Effect.sleep(LASTS));
          yield* Stream.runForEach(Stream.interruptWhen(items, ended), (item) =>
            Effect.sync(() => {
              if (item._tag === "Position") start = item.id;
              if (item._tag === "Event") seen.push(item.event.id);
            }),
          );
        }),
      );
      return {
        held: stream,
        meanwhile: Effect.tap(
          folders((all) => all.create(account, { name: "Meanwhile", parentId: null })),
          () => Deferred.succeed(changed, undefined),
        ),
        after: Effect.sync(() => {
          const all = eventsOf(cluster, account).map(({ id }) => id);
          visit.same(seen, all.slice(all.indexOf(start!) + 1), "what a stream has after its first id");
        }),
      };
    }),
};
