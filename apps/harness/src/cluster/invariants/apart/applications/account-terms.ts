import { AccountSessions, Authentication } from "@postern/core/auth";
import { Context, Effect, Redacted } from "effect";
import { byText } from "../../../by-text.ts";
import type { Invariant } from "../../../Invariant.ts";
import { PASSWORD } from "../../../Visit.ts";
import { readdAccount } from "./added-again.ts";
import { joinDomain } from "./joined-domain.ts";
import { listAccounts } from "./listed-accounts.ts";
import { type Manager, managerOf } from "./manager.ts";
import { keepLogs } from "./protocol-logs.ts";
import { createRefused } from "./refused-account.ts";
import { waitForAccount } from "./waiting-accounts.ts";

/**
 * A change of an account changes the named fields alone, and a refused one nothing. A list has each account that
 * matches, once. A key changes and sees accounts in its reach alone. Mail waits for a paused or refused account for a
 * day. An account that is added again has nothing of the former one. A domain may join those of the deployment.
 * An account that is refused recovers by its creation. [S10.3-1] [S10.3-2] [S10.3-3] [S10.3-27] [S10.3-45]
 * [S10.3-47] [S10.5-2] [S10.5-3]
 * [S10.5-4] [S10.5-11] [S10.2-11] [S10.2-21] [S3.7-1] [S3.7-2] [S3.7-3] [S3.7-4] [S3.7-7]
 */
export const accountTerms: Invariant = {
  name: "account-terms",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        const manager = managerOf(visit, cluster);
        yield* createAccounts(manager);
        yield* visit.pickInTurn([lookUp, waitForAccount, readdAccount])(manager);
        yield* joinDomain(manager);
        yield* createRefused(manager);
      }),
  }),
};

const lookUp = (manager: Manager) => Effect.andThen(listAccounts(manager), keepLogs(manager));

/** A creation, and each change, is stored as a whole or not at all. */
const createAccounts = ({ visit, cluster, find, create, change, use, told }: Manager) =>
  Effect.gen(function* () {
    const email = "created@sim.test";
    cluster.mail.addAccount(email, PASSWORD);
    visit.same(yield* create(email, { password: "wrong" }), "AccountUnverified", "an account with a wrong password");
    visit.same(yield* use(email), "AccountNotFound", "an account that was not created");
    visit.same(
      yield* create(email, { tags: ["b"] }, ["tag:a"]),
      "OutsideReach",
      "an account beyond the reach of its key",
    );
    const signedIn = yield* visit.signUp("created-by-user");
    const pair = yield* visit.signIn(signedIn);
    visit.same(
      yield* create(signedIn, { tags: ["a"] }, ["tag:a"]),
      "OutsideReach",
      "an account that was beyond the reach",
    );
    for (const one of [email, signedIn]) {
      visit.same(
        yield* create(one, { name: "Created", tags: ["b", "a", "b"] }, one === email ? ["tag:a"] : null),
        "Answered",
        "a creation",
      );
      visit.same(yield* create(one), "AccountExists", "a second creation");
      const { name, tags, managed, pausedAt } = yield* find(one);
      visit.same([name, tags, managed, pausedAt], ["Created", ["a", "b"], true, null], "a created account");
      visit.same(told(one), ["account.added"], "the events of a created account");
    }
    cluster.mail.addAccount("raced@sim.test", PASSWORD);
    const both = yield* Effect.all([create("raced@sim.test"), create("raced@sim.test")], { concurrency: 2 });
    visit.same(both.toSorted(), ["AccountExists", "Answered"], "two creations of one account");
    visit.same(told("raced@sim.test"), ["account.added"], "the events of an account that was created twice");
    const live = visit.tagOf("use", (services) => Context.get(services, Authentication).byAccessToken(pair.token));
    visit.same(yield* live, "Answered", "the session of an account that became managed");
    const sessions = yield* visit.ask("sessions", (services) =>
      Context.get(services, AccountSessions).page(signedIn, {}),
    );
    visit.same(sessions.items.length, 2, "the sessions of an account that became managed");

    const show = Effect.map(find(email), ({ name, tags, pausedAt, managed, createdAt, follow, authKind }) => ({
      name,
      tags,
      paused: pausedAt !== null,
      kept: [managed, createdAt, follow, authKind],
    }));
    let promised = yield* show;
    const changes = [
      { name: "Renamed" },
      { tags: ["c", "a"] },
      { paused: true },
      { name: null },
      { tags: [] },
      { paused: false },
    ] as const;
    for (const patch of changes) {
      yield* visit.wait(1_000);
      visit.same(yield* change(email, patch), "Answered", "a change of an account");
      promised = { ...promised, ...patch, ...("tags" in patch && { tags: patch.tags.toSorted(byText) }) };
      visit.same(yield* show, promised, `an account after a change of ${Object.keys(patch).join()}`);
    }
    yield* change(email, { tags: ["a"] });
    const refused = [
      yield* change(email, { name: "no", tags: ["b"] }, ["tag:a"]),
      yield* change(email, { name: "no" }, ["tag:b"]),
      yield* change(email, { name: "no", password: Redacted.make("wrong") }),
      yield* change("unknown@sim.test", { name: "no" }),
    ];
    const tags = ["OutsideReach", "AccountNotFound", "AccountUnverified", "AccountNotFound"];
    visit.same(refused, tags, "refused changes");
    visit.same(yield* show, { ...promised, tags: ["a"] }, "an account after refused changes");
    visit.same(
      [yield* use(email, ["tag:a"]), yield* use(email, ["tag:b"])],
      ["Answered", "AccountNotFound"],
      "two keys",
    );
    visit.same(yield* use(email, ["*@sim.test"]), "Answered", "a key for a domain");
    visit.same(yield* use(email, ["*@im.test"]), "AccountNotFound", "a key for another domain");
  });
