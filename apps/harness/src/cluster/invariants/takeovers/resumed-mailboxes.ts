import { AccountSessions } from "@postern/core/auth";
import { FolderManagement } from "@postern/core/folders";
import { Context, Effect } from "effect";
import { eventsOf } from "../../events-of.ts";
import { ownerOf } from "../webhooks/owner-of.ts";
import { begin, insist } from "./insist.ts";
import { expectEachOnce, createFiledAccount, isMoveOf, isSaveOf, SAVES } from "./taken-mailboxes.ts";
import type { Takeover } from "./Takeover.ts";

/** The maximum time until a request reaches its stop point, and until an event is announced, in milliseconds. */
const SOON = 5_000;

/**
 * A removal whose node ended, after any of its saves, is resumed: every message is moved into the chosen folder, even
 * if that folder was renamed, and is counted once. [S4.6-1] [S4.6-6] [S4.6-8]
 */
export const removalResumed: Takeover = (visit, cluster, stop) =>
  Effect.gen(function* () {
    // The last node ends after the messages were moved, before it gets the answer.
    for (let save = 1; save <= SAVES + 1; save++) {
      const { account, ids } = yield* createFiledAccount(visit, cluster, `resumed-${save}`, "Left");
      const ask = <A, E>(name: string, use: (all: FolderManagement["Service"]) => Effect.Effect<A, E>) =>
        visit.ask(name, (services) => use(Context.get(services, FolderManagement)));
      const chosen = yield* ask("create", (all) => all.create(account, { name: "Chosen", parentId: null }));
      const left = (yield* ask("list", (all) => all.list(account))).find(({ name }) => name === "Left")!;
      let saves = 0;
      stop.arm((call) => (save > SAVES ? isMoveOf(account)(call) : isSaveOf(account)(call) && ++saves === save));
      const request = { permanent: false, recursive: false, moveTo: chosen.id };
      const remove = ask("remove", (all) => all.remove(account, left.id, request));
      yield* begin(remove);
      yield* visit.within(SOON, `a removal is not saved ${save} times`, () => stop.isHit);
      yield* insist(
        visit,
        ask("rename", (all) => all.change(account, chosen.id, { name: "Renamed" })),
      );
      const { movedTo, movedCount } = yield* insist(visit, remove);
      visit.same([movedTo, movedCount], [chosen.id, ids.length], `the answer to a removal cut off at save ${save}`);
      expectEachOnce(visit, cluster, account, ids, `whose removal was cut off at save ${save}`);
      const mail = cluster.mail.account(account);
      visit.same(mail.mailbox("Renamed").messages.length, ids.length, "the messages in a chosen folder");
      visit.expect(mail.find("Chosen") === undefined, "a resumed removal creates a folder by an old name");
    }
  });

/**
 * A removal is resumed although its user signed out meanwhile, and was the only one who needed the credential. [S3.7-5]
 * [S4.6-8]
 */
export const removalSignedOut: Takeover = (visit, cluster, stop) =>
  Effect.gen(function* () {
    const { account, ids } = yield* createFiledAccount(visit, cluster, "removing-out", "Parted");
    const { items } = yield* visit.ask("sessions", (services) =>
      Context.get(services, AccountSessions).page(account, {}),
    );
    stop.arm(isSaveOf(account));
    const remove = visit.ask("remove", (services) =>
      Effect.gen(function* () {
        const folders = Context.get(services, FolderManagement);
        const left = (yield* folders.list(account)).find(({ name }) => name === "Parted")!;
        yield* folders.remove(account, left.id, { permanent: false, recursive: false });
      }),
    );
    yield* begin(remove);
    yield* visit.within(SOON, "a removal is not saved", () => stop.isHit);
    for (const { id } of items) {
      const end = visit.ask("sign out", (services) => Context.get(services, AccountSessions).end(account, id));
      yield* insist(visit, end);
    }
    const mail = cluster.mail.account(account);
    const isOver = () => mail.mailbox("Trash").messages.length === ids.length && mail.find("Parted") === undefined;
    yield* visit.within(4 * SOON, "a removal is not resumed after its user signed out", isOver);
    expectEachOnce(visit, cluster, account, ids, "whose removal was resumed after its user signed out");
  });

/**
 * The node that holds the watch of an account follows the account, even if that node lost the answer to its claim.
 * [S9.4-1]
 */
export const watchClaimed: Takeover = (visit, cluster, stop) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("lost-claim");
    const { create, arrive } = ownerOf(visit, cluster, account);
    stop.armLost(
      ({ port, method, answer }) =>
        port === "AccountWatches" &&
        method === "claim" &&
        (answer as ReadonlyArray<{ readonly account: string }>).some((watch) => watch.account === account),
    );
    yield* create("https://visit.sim.test/lost-claim");
    yield* visit.within(SOON, "a watch is not claimed", () => stop.isHit);
    arrive();
    const told = () => eventsOf(cluster, account, "email.received").length;
    yield* visit.within(2 * SOON, "no node follows an account whose claim was not answered", () => told() === 1);
  });
