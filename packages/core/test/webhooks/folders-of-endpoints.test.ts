import { it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { describe, expect } from "vitest";
import { type FolderRecord, FolderRecords } from "../../src/folders/index.ts";
import { AccountId } from "../../src/shared/index.ts";
import { checkFolders, checkRequest } from "../../src/webhooks/endpoint-settings.ts";
import { type EndpointOwner, ownedBy } from "../../src/webhooks/index.ts";
import { REQUEST } from "./endpoints-in-memory.ts";

const ME = ownedBy(AccountId("me@x.test"));
const APPLICATION: EndpointOwner = { _tag: "Application", application: "app", reach: null, notify: null };

const fieldsOf = <A, R>(effect: Effect.Effect<A, { readonly _tag: string; readonly errors?: unknown }, R>) =>
  Effect.match(effect, {
    onSuccess: () => [] as ReadonlyArray<string>,
    onFailure: ({ errors }) => (errors as ReadonlyArray<{ readonly field: string }>).map(({ field }) => field),
  });

describe("the folders of an endpoint", () => {
  const records = Layer.mock(FolderRecords, {
    load: () => Effect.succeed([{ id: "f_own" } as FolderRecord]),
  });
  const faults = (owner: EndpointOwner, folders: ReadonlyArray<string>) =>
    fieldsOf(Effect.flatMap(FolderRecords, (all) => checkFolders(all, owner, folders))).pipe(Effect.provide(records));

  it.effect("are roles, ids of folders, or * for all", () =>
    Effect.gen(function* () {
      for (const owner of [ME, APPLICATION]) {
        expect(yield* faults(owner, ["*", "inbox", "sent", "f_own"])).toEqual([]);
        expect(yield* faults(owner, ["inbox", "Inbox", "**", "f_", "own", "", "f_a b", `f_${"x".repeat(61)}`])).toEqual(
          [1, 2, 3, 4, 5, 6, 7].map((place) => `folders.${place}`),
        );
      }
    }),
  );

  it.effect("are the account's own folders; an application may name any id", () =>
    Effect.gen(function* () {
      expect(yield* faults(ME, ["f_own", "f_other"])).toEqual(["folders.1"]);
      expect(yield* faults(APPLICATION, ["f_own", "f_other", `f_${"x".repeat(60)}`])).toEqual([]);
    }),
  );
});

describe("a request for an endpoint", () => {
  const faults = (more: object, owner = ME) => fieldsOf(checkRequest(owner, { ...REQUEST, ...more }));

  it.effect.each<[object, object]>([
    [{ description: "d".repeat(500) }, { description: "d".repeat(501) }],
    [{ folders: Array(50).fill("inbox") }, { folders: Array(51).fill("inbox") }],
    [{ folders: ["f".repeat(100)] }, { folders: [] }],
    [{ disablePolicy: "no_success" }, { disablePolicy: "never" }],
    [{ disablePolicy: "literal" }, { disablePolicy: "" }],
    [{ maxInFlight: 1 }, { maxInFlight: 0 }],
    [{ maxInFlight: 10 }, { maxInFlight: 11 }],
  ])("may have %j, but not %j", ([right, wrong]) =>
    Effect.gen(function* () {
      expect(yield* faults(right)).toEqual([]);
      expect(yield* faults(wrong)).toEqual(Object.keys(wrong));
    }),
  );

  it.effect("names each unknown event type", () =>
    Effect.gen(function* () {
      expect(yield* faults({ events: ["email.eaten", "email.received", ""] })).toEqual(["events.0", "events.2"]);
      expect(yield* checkRequest(ME, { events: ["email.sent", "email.sent"] })).toEqual(["email.sent"]);
      expect(yield* checkRequest(ME, { description: "d" })).toBeUndefined();
    }),
  );
});
