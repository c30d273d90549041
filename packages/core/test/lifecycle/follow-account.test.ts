import { assert, describe, it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import { type Account, AccountDirectory, AccountSettings, newAccount } from "../../src/accounts/index.ts";
import type { Follow } from "../../src/accounts/neighbours.ts";
import { AuditTrail } from "../../src/audit/Audit.ts";
import { Folders } from "../../src/folders/index.ts";
import { follow, portsToFollow, showFollowing } from "../../src/lifecycle/follow-account.ts";
import { AccountId } from "../../src/shared/index.ts";
import { AccountWatches, FollowedMailboxes } from "../../src/watch/index.ts";
import { noTransaction } from "../doubles.ts";
import { at, ME, NOW } from "./accounts-in-memory.ts";

type State = { readonly uidValidity: number | null; readonly uidNext: number | null } | null;

const PROGRESS = { folders: 3, done: 2, messages: 70 };
const INBOX_AND_MORE: Record<string, State> = {
  inbox: { uidValidity: 7, uidNext: 10 },
  f_work: { uidValidity: 8, uidNext: 1 },
  f_parent: null,
  f_new: { uidValidity: 9, uidNext: null },
  f_odd: { uidValidity: null, uidNext: 4 },
};

/** An account with these folders, and what a change of its followed folders did. */
const world = (
  over: Partial<Account> = {},
  { isWatched = false, folders = INBOX_AND_MORE, byDefault = undefined as Follow | undefined } = {},
) => {
  const did: Array<string> = [];
  const note = (text: string) => Effect.sync(() => void did.push(text));
  let account: Account = { ...newAccount(ME, NOW - 1), ...over };
  const snapshot = {
    records: Object.keys(folders).map((key) => ({ key })),
    listed: Object.values(folders).map((status) => ({ status })),
  } as unknown as Effect.Success<ReturnType<Folders["Service"]["sync"]>>;
  const doubles = Layer.mergeAll(
    Layer.succeed(AccountSettings, {
      mode: "any",
      servers: at("home.test"),
      domains: [],
      signInDomains: [],
      ...(byDefault && { follow: byDefault }),
    }),
    Layer.mock(AccountDirectory, {
      find: (id) => Effect.sync(() => (id === ME ? Option.some(account) : Option.none())),
      change: (_, decide) =>
        Effect.sync(() => {
          const [told, next] = decide(account);
          account = next;
          did.push(`follow ${account.follow}`);
          return Option.some(told);
        }),
    }),
    Layer.mock(Folders, { sync: () => Effect.as(note("list folders"), snapshot) }),
    Layer.mock(FollowedMailboxes, {
      beginAll: (_, present) => note(`begin ${JSON.stringify([...present])}`),
      endAll: () => note("end all"),
      moveTo: (_, folder, cursor) => note(`${folder} moves to ${JSON.stringify(cursor)}`),
      progress: () => Effect.succeed(PROGRESS),
    }),
    Layer.mock(AccountWatches, {
      isOursAlone: false,
      changed: Effect.never,
      selectWatched: (ids) => Effect.succeed(new Set(isWatched ? ids : [])),
      erase: () => note("erase watch"),
      add: (_, until) => Effect.as(note(`watch for ${until - NOW}`), true),
    }),
    Layer.succeed(AuditTrail, (operation, about) => note(`audit ${operation} ${about.account}`)),
    noTransaction,
  );
  const using = <A, E>(use: (on: Effect.Success<typeof portsToFollow>) => Effect.Effect<A, E>) =>
    Effect.andThen(TestClock.setTime(NOW), Effect.provide(Effect.flatMap(portsToFollow, use), doubles));
  return {
    did,
    follow: (wanted: Follow) => using((on) => follow(on, ME, wanted)),
    show: (id = ME) => using((on) => showFollowing(on, id)),
  };
};

const CURSORS =
  '[["inbox",{"uidValidity":7,"uidNext":10,"highestModSeq":null}],' +
  '["f_work",{"uidValidity":8,"uidNext":1,"highestModSeq":null}]]';

describe("an account that begins to follow all folders", () => {
  it.effect("follows those that the server opens from the present on, INBOX too, and is watched [S7.11-1]", () =>
    Effect.gen(function* () {
      const { did, follow } = world();
      const changed = yield* follow("all");
      assert.deepStrictEqual([changed.account.follow, changed.follow, changed.following], ["all", "all", PROGRESS]);
      assert.deepStrictEqual(did, [
        "list folders",
        "follow all",
        `begin ${CURSORS}`,
        'inbox moves to {"uidValidity":7,"uidNext":10,"highestModSeq":null}',
        "watch for 60000",
        `audit accounts.change ${ME}`,
      ]);
    }),
  );

  it.effect("starts its watch again if it is watched, and keeps the place in INBOX", () =>
    Effect.gen(function* () {
      const { did, follow } = world({}, { isWatched: true });
      yield* follow("all");
      assert.deepStrictEqual(did.slice(2), [
        `begin ${CURSORS}`,
        "erase watch",
        "watch for 60000",
        `audit accounts.change ${ME}`,
      ]);
    }),
  );

  it.effect("is watched although the server lists no INBOX", () =>
    Effect.gen(function* () {
      const { did, follow } = world({}, { folders: { f_work: { uidValidity: 8, uidNext: 1 }, inbox: null } });
      yield* follow("all");
      assert.deepStrictEqual(did.slice(2, 4), [
        'begin [["f_work",{"uidValidity":8,"uidNext":1,"highestModSeq":null}]]',
        "watch for 60000",
      ]);
    }),
  );
});

describe("an account that follows INBOX alone again", () => {
  it.effect("starts its watch again if it is watched", () =>
    Effect.gen(function* () {
      const { did, follow } = world({ follow: "all" }, { isWatched: true });
      const changed = yield* follow("inbox");
      assert.deepStrictEqual([changed.account.follow, changed.follow, changed.following], ["inbox", "inbox", null]);
      assert.deepStrictEqual(did, [
        "list folders",
        "follow inbox",
        "end all",
        "erase watch",
        "watch for 60000",
        `audit accounts.change ${ME}`,
      ]);
    }),
  );

  it.effect("stays unwatched if it was not watched", () =>
    Effect.gen(function* () {
      const { did, follow } = world({ follow: "all" });
      yield* follow("inbox");
      assert.deepStrictEqual(did.slice(2), ["end all", `audit accounts.change ${ME}`]);
    }),
  );
});

describe("the followed folders of an account", () => {
  it.effect("do not change if they are set again, or set to the default of the deployment", () =>
    Effect.gen(function* () {
      for (const [over, byDefault, wanted] of [
        [{}, undefined, "inbox"],
        [{}, "all", "all"],
        [{ follow: "all" }, "inbox", "all"],
      ] as const) {
        const { did, follow } = world(over, { byDefault });
        assert.strictEqual((yield* follow(wanted)).follow, wanted);
        assert.deepStrictEqual(did, []);
      }
    }),
  );

  it.effect("are shown with the progress if all are followed, and only for a known account [S7.11-1]", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* world().show()).following, null);
      assert.deepStrictEqual((yield* world({}, { byDefault: "all" }).show()).following, PROGRESS);
      const unknown = world().show(AccountId("other@x.test"));
      assert.strictEqual((yield* Effect.flip(unknown))._tag, "AccountNotFound");
    }),
  );

  it.effect("are refused with another value", () =>
    Effect.gen(function* () {
      const { did, follow } = world();
      assert.strictEqual((yield* Effect.flip(follow("some" as Follow)))._tag, "InputInvalid");
      assert.deepStrictEqual(did, []);
    }),
  );
});
