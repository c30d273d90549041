import { FolderManagement } from "@postern/core/folders";
import { AccountCreation, LiveEvents } from "@postern/core/lifecycle";
import { Context, Effect, Redacted } from "effect";
import type { Cluster } from "../../Cluster.ts";
import { eventsOf } from "../../events-of.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";
import { PASSWORD } from "../../world/accounts.ts";
import { ownerOf } from "./owner-of.ts";

type ReadFeed = LiveEvents["Service"]["readFeed"];
type FeedRequest = Parameters<ReadFeed>[0];
type FeedReader = Effect.Success<Parameters<ReadFeed>[1]>;

const TAG = "fed";
const EMAIL = "fed@sim.test";
/** A number of events larger than one answer contains. */
const CHANGES = 5;
/**
 * The wait of a request for an event, in seconds, and the maximum time until it is answered after an event, in
 * milliseconds.
 */
const WAIT = 20;
const SOON = 6_000;
/** A number of parts larger than the feed of a seed has, and small enough that a feed without an end is found soon. */
const MAX_PARTS = 200;

/**
 * A reader of the feed that passes the `next` of each answer gets each event once and in order, for any limit and
 * types, and both for an application and for its account. An event ends the wait of a request. [S7.10-3]
 */
export const feeds: Invariant = {
  name: "feeds",
  watch: (cluster) => ({ calm: (visit) => feeding(visit, cluster) }),
};

const feeding = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    cluster.mail.addAccount(EMAIL, PASSWORD);
    const secret = { _tag: "Password" as const, password: Redacted.make(PASSWORD) };
    const { id: account } = yield* visit.ask("manage", (services) =>
      Context.get(services, AccountCreation).create(
        { email: EMAIL, name: null, secret, tags: [TAG], imap: null, smtp: null },
        null,
      ),
    );
    const { create, arrive } = ownerOf(visit, cluster, account);
    yield* create("https://visit.sim.test/fed");
    const folders = <A, E>(use: (all: FolderManagement["Service"]) => Effect.Effect<A, E>) =>
      visit.ask("folders", (services) => use(Context.get(services, FolderManagement)));
    // The first listing announces nothing.
    yield* folders((all) => all.list(account));
    const read = (reader: FeedReader, request: FeedRequest) =>
      visit.ask("read the feed", (services) =>
        Context.get(services, LiveEvents).readFeed(request, Effect.succeed(reader)),
      );
    const readAll = (reader: FeedReader, request: FeedRequest, from: string) =>
      Effect.gen(function* () {
        const ids: Array<string> = [];
        let after = from;
        for (let parts = 0; parts < MAX_PARTS; parts++) {
          const part = yield* read(reader, { ...request, after });
          visit.expect(part.events.length <= (request.limit ?? 100), "an answer of the feed has more than its limit");
          ids.push(...part.events.flatMap((event) => (event.account === account ? [event.id] : [])));
          after = part.next;
          if (!part.more && part.events.length === 0) return ids;
        }
        visit.expect(false, "the feed does not end");
        return ids;
      });
    const own: FeedReader = { account };
    const { next } = yield* read(own, {});
    const known = eventsOf(cluster, account).length;
    const due = (types: ReadonlyArray<string> = []) =>
      eventsOf(cluster, account)
        .slice(known)
        .flatMap(({ id, type }) => (types.length === 0 || types.includes(type) ? [id] : []));
    for (let n = 0; n < CHANGES; n++) {
      const { id } = yield* folders((all) => all.create(account, { name: `Fed ${n}`, parentId: null }));
      yield* folders((all) => all.change(account, id, { name: `Renamed ${n}` }));
      arrive();
    }
    yield* visit.within(SOON, "events are missing", () => due().length === 3 * CHANGES);
    const limit = cluster.random.between(1, 2 * CHANGES);
    visit.same(yield* readAll(own, { limit }, next), due(), `the feed by ${limit}`);
    visit.same(yield* readAll(own, {}, next), due(), "the feed");
    const types = ["folder.renamed", "email.received"];
    visit.same(yield* readAll(own, { limit, types: types.join(",") }, next), due(types), "the feed of two types");
    const application: FeedReader = { reach: [`tag:${TAG}`], application: "feeding" };
    visit.same(yield* readAll(application, { limit }, next), due(), "the feed of an application");
    const { next: end } = yield* read(own, { after: next });
    const before = visit.now;
    const [waited] = yield* Effect.all(
      [read(own, { after: end, wait: WAIT }), Effect.andThen(visit.wait(1_000), Effect.sync(arrive))],
      { concurrency: 2 },
    );
    visit.same(
      waited.events.map(({ id }) => id),
      due().slice(3 * CHANGES),
      "the answer to a request that waits",
    );
    visit.expect(visit.now - before < SOON, "a request that waits is not answered by an event");
  });
