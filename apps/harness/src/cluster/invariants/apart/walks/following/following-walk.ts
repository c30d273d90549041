import { AccountChanges, AccountCreation } from "@postern/core/lifecycle";
import { Messages } from "@postern/core/messages";
import { Folders } from "@postern/core/folders";
import { Context, Effect, Redacted } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import { eventsOf } from "../../../../events-of.ts";
import type { Invariant } from "../../../../Invariant.ts";
import { PASSWORD, type Visit } from "../../../../Visit.ts";
import { ownerOf } from "../../../webhooks/owner-of.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../durations.ts";
import { walk } from "../walk.ts";
import { FollowModel, lineOf, MOVABLE } from "./FollowModel.ts";
import { faultsOfBacklog } from "./backlog.ts";
import { endpointReaders } from "./endpoint-readers.ts";
import { faultsOf } from "./event-data.ts";
import { followActs } from "./follow-acts.ts";
import { readersOf } from "./readers.ts";
import { wholeListing } from "./whole-listing.ts";

/** The number of comparisons of a walk, and the maximum number of changes between two of them. */
const ROUNDS = 3;
const MOST_CHANGES = 6;
/** The time until all changes are announced. Folders other than INBOX are polled every 20 seconds. */
const LOOKED_AT = { all: 50 * SECOND, inbox: 8 * SECOND };
const TAG = "walked";

/**
 * Each change of a message by any program has the one event that is promised for its folder, at the account's endpoints, in
 * streams and in the feed, with any choice of folders and types; each reader goes on where it stopped. Stops of all nodes lose
 * and repeat nothing. A listing of the account has each message that a receiver would know, also while a folder is closed. [S5.2-9]
 * [S5.7-1] [S5.7-4] [S7.2-1] [S7.3-1] [S7.4-5] [S7.4-7] [S7.4-8] [S7.4-10] [S7.4-11] [S7.9-3] [S7.9-4] [S7.10-2] [S7.10-3]
 * [S7.11-2] [S7.11-3] [S7.11-4] [S7.11-5] [S7.11-6] [S7.11-7] [S7.11-8] [S7.11-10] [S7.11-15]
 */
export const followingWalk: Invariant = {
  name: "following-walk",
  watch: () => ({ apart: (visit, cluster) => follow(visit, cluster) }),
};

const follow = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const { random } = cluster;
    const isAll = visit.pickInTurn([true, false, true]);
    // The servers of some accounts have QRESYNC or NOTIFY: see `hasQuickResync` and `hasNotify`.
    const email = `${visit.pickInTurn(["following", "quick-following", "notified", "quick-notified"])}@sim.test`;
    const mail = cluster.mail.addAccount(email, PASSWORD);
    mail.create("Archive");
    const secret = { _tag: "Password" as const, password: Redacted.make(PASSWORD) };
    const { id: account } = yield* visit.ask("manage", (services) =>
      Context.get(services, AccountCreation).create(
        { email, name: null, secret, tags: [TAG], imap: null, smtp: null },
        null,
      ),
    );
    if (isAll)
      yield* visit.ask("follow all", (services) => Context.get(services, AccountChanges).follow(account, "all"));
    yield* ownerOf(visit, cluster, account).create("https://visit.sim.test/following");
    const listed = yield* visit.ask("folders", (services) => Context.get(services, Folders).list(account));
    const idOf = (path: string) => listed.find((folder) => folder.path === path)?.id ?? path;
    const model = new FollowModel(cluster, account, isAll);
    const key = { reach: [`tag:${TAG}`], application: "walking" };
    const readers = [
      ...readersOf(visit, cluster, model, key, idOf),
      ...(yield* endpointReaders(visit, cluster, model, idOf)),
    ];
    const told = () =>
      eventsOf(cluster, account).filter(({ type }) => type.startsWith("email.") || type.startsWith("draft."));
    const places = new Map(
      yield* Effect.forEach(readers, (reader) => Effect.as(reader.read, [reader, told().length] as const)),
    );
    const list = wholeListing(visit, cluster, model, idOf);
    let compared = told().length;

    const compare = Effect.gen(function* () {
      yield* visit.wait(isAll ? LOOKED_AT.all : LOOKED_AT.inbox);
      const all = told();
      const events = all.filter(({ standsForMove }) => standsForMove !== true);
      for (const event of all.slice(compared)) {
        const { type, folder, text } = model.told(event);
        const isSilent = type === "email.moved" && folder === "INBOX" && model.silent.has(text.split(" ")[0]!);
        if (isSilent) model.silentMoves.add(event.id);
      }
      model.silent.clear();
      const found = all.slice(compared).filter(({ standsForMove }) => standsForMove !== true);
      visit.same(
        found.map((event) => lineOf(model.told(event))).toSorted(),
        model.promised.map(lineOf).toSorted(),
        "the events of some changes",
      );
      for (const event of found) visit.same(faultsOf(event, model), [], "the faults of an event");
      if (!model.isRenumbered) visit.same(faultsOfBacklog(found, model), [], "the faults of a backlog");
      compared = all.length;
      for (const reader of random.some(readers, 4)) {
        const since = all.slice(places.get(reader)).filter((event) => events.includes(event));
        const promised = reader.promised(since.map((event) => ({ ...model.told(event), id: event.id })));
        const read = (yield* reader.read).map((event) => lineOf(model.told(event)));
        visit.same(read, promised, reader.name);
        places.set(reader, all.length);
      }
      yield* list(null);
      if (isAll && random.chance(0.5)) {
        const folder = random.pick(["Archive", "Junk", "Trash"] as const);
        model.mailbox(folder).isClosed = true;
        yield* list(folder);
        model.mailbox(folder).isClosed = false;
      }
      for (const [id, subject] of random.some([...model.subjects], 2)) {
        const one = model.messages.find((other) => other.subject === subject);
        if (one?.isCopied === true) continue;
        const read = yield* Effect.result(
          visit.ask("read", (services) => Context.get(services, Messages).read(account, id)),
        );
        const opened =
          read._tag === "Success" ? `${read.success.summary.subject} in ${read.success.folder.path}` : "nothing";
        const isOld = !isAll || one === undefined;
        if (!isOld || read._tag === "Success")
          visit.same(opened, `${one?.subject} in ${one?.folder}`, "what an id of an event opens");
      }
      model.promised = [];
      model.backlog.clear();
      model.isRenumbered = false;
      for (const one of [...model.messages, ...model.left]) one.isTouched = false;
    });

    const acts = followActs(visit, cluster, model, idOf);
    for (const folder of MOVABLE) model.arrive(model.write(folder, [], random.chance(0.5) ? null : undefined));
    yield* compare;
    for (let round = 0; round < ROUNDS && cluster.violations.length === 0; round++) {
      const isStopped = random.chance(0.25);
      const foreign = isStopped ? acts.filter(({ name }) => !name.startsWith("Postern")) : acts;
      model.isOutage = isStopped;
      if (isStopped) for (let place = 0; place < cluster.size; place++) cluster.crash(place);
      yield* walk(visit, cluster, foreign, random.between(1, MOST_CHANGES + 1));
      if (isStopped) {
        if (random.chance(0.3)) yield* visit.skip(random.between(HOUR, 3 * DAY));
        yield* visit.wait(random.between(SECOND, 3 * MINUTE));
        for (let place = 0; place < cluster.size; place++) cluster.boot(place);
        yield* visit.wait(20 * SECOND);
      }
      yield* compare;
    }
  });
