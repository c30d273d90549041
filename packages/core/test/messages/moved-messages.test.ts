import { it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { describe, expect } from "vitest";
import { Folders } from "../../src/folders/index.ts";
import { MailServerError } from "../../src/mail/index.ts";
import { MessageActions } from "../../src/messages/index.ts";
import { OwnMoves } from "../../src/watch/index.ts";
import { idOf, MailboxWorld, ME, stored } from "./mailbox-in-memory.ts";

const inbox = (uid: number) => idOf("inbox", uid);

/** Actions on two messages of the INBOX, and what is read and recorded of their moves. */
const world = () => {
  const mail = new MailboxWorld([
    { id: "inbox", role: "inbox", messages: [stored(1), stored(2)] },
    { id: "A", messages: [] },
    { id: "Trash", role: "trash", messages: [] },
  ]);
  const state = {
    log: Array<unknown>(),
    failures: 0,
    records: [] as ReadonlyArray<{ readonly uidNext: number | null }>,
  };
  const recording = Layer.mergeAll(
    Layer.mock(OwnMoves, {
      read: (account, path, uids) =>
        Effect.suspend(() => {
          state.log.push(`read ${account} ${path} ${JSON.stringify(uids)}`);
          return state.failures-- > 0
            ? Effect.fail(new MailServerError({ reason: "timeout", operation: "fetch", detail: "" }))
            : Effect.succeed({ uidValidity: 1, messages: [] });
        }),
      begin: (_, from, __, to) => Effect.sync(() => void state.log.push(["begin", from, to.key, to.uidNext])),
      settle: (_, { folderId }, to, arrived) =>
        Effect.sync(() => void state.log.push(`settle ${folderId} ${to} ${arrived.map(({ uid }) => uid).join()}`)),
    }),
    Layer.mock(Folders, {
      sync: () =>
        Effect.sync(() => {
          state.log.push("folders");
          return {
            root: { prefix: "", delimiter: "/" },
            listed: [],
            records: state.records as never,
            folders: mail.listed,
          };
        }),
    }),
  );
  const layer = MessageActions.layer.pipe(Layer.provide(recording), Layer.provide(mail.layer));
  const run = <A, E>(use: (actions: MessageActions["Service"]) => Effect.Effect<A, E>) =>
    Effect.flatMap(MessageActions, use).pipe(Effect.provide(layer));
  return { mail, state, run };
};
const FROM_INBOX = { folderId: "inbox", uidValidity: 1, path: "inbox" };
const READ = "read me@x.test inbox [1,2]";

describe("messages that move", () => {
  it.effect("are read once, in each mailbox together, and before the move is recorded", () =>
    Effect.gen(function* () {
      const { state, run } = world();
      state.records = [{ uidNext: 3 }, { uidNext: 7 }, { uidNext: 9 }];
      yield* run((actions) => actions.carryOut(ME, [inbox(1), inbox(2)], { _tag: "Change", flags: {}, folderId: "A" }));
      expect(new Set(state.log.slice(0, 2))).toEqual(new Set(["folders", READ]));
      expect(state.log.slice(2)).toEqual([["begin", FROM_INBOX, "A", 7], "settle inbox A 1,2"]);
    }),
  );

  it.effect("are read again if that failed, or if they were not where they were stored", () =>
    Effect.gen(function* () {
      const failed = world();
      failed.state.failures = 1;
      yield* failed.run((actions) => actions.carryOut(ME, [inbox(1), inbox(2)], { _tag: "Trash" }));
      expect(failed.state.log.filter((one) => one === READ)).toHaveLength(2);
      expect(failed.state.log.at(-2)).toEqual(["begin", FROM_INBOX, "Trash", null]);
      const late = world();
      late.mail.unheard.add(inbox(2));
      yield* late.run((actions) => actions.carryOut(ME, [inbox(2)], { _tag: "Trash" }));
      expect(late.state.log.filter((one) => `${one}`.startsWith("read"))).toEqual(["read me@x.test inbox [2]"]);
    }),
  );

  it.effect("alone are read: not those that change or are destroyed", () =>
    Effect.gen(function* () {
      const { state, run } = world();
      yield* run((actions) => actions.carryOut(ME, [inbox(1)], { _tag: "Change", flags: { flagged: true } }));
      yield* run((actions) => actions.carryOut(ME, [inbox(2)], { _tag: "Destroy" }));
      expect(state.log).toEqual([]);
    }),
  );

  it.effect("are moved from where they are stored, without another listing", () =>
    Effect.gen(function* () {
      const { mail, run } = world();
      const { id, folder } = yield* run((actions) => actions.change(ME, inbox(1), { flagged: true }, "A"));
      expect([id, folder.id]).toEqual([inbox(1), "A"]);
      expect(mail.log).toEqual(["flag inbox 1", "move inbox 1 to A", "changed"]);
      expect(yield* Effect.flip(run((actions) => actions.change(ME, inbox(2), {}, "None")))).toMatchObject({
        _tag: "FolderNotFound",
      });
      expect(mail.folder("inbox")!.messages.map(({ uid }) => uid)).toEqual([2]);
    }),
  );
});

describe("a change of labels", () => {
  it.effect("names labels that can be stored", () =>
    Effect.gen(function* () {
      const { run } = world();
      const fieldOf = (flags: { readonly addLabels?: Array<string>; readonly removeLabels?: Array<string> }) =>
        Effect.forEach(
          [
            (actions: MessageActions["Service"]) => actions.change(ME, inbox(1), flags, undefined),
            (actions: MessageActions["Service"]) => actions.carryOut(ME, [inbox(1)], { _tag: "Change", flags }),
          ],
          (use) =>
            Effect.match(run<unknown, { readonly _tag: string; readonly field?: string }>(use), {
              onFailure: ({ _tag, field }) => `${_tag} ${field}`,
              onSuccess: () => "right",
            }),
        );
      expect(yield* fieldOf({ addLabels: ["Work", "a\\b"] })).toEqual(Array(2).fill("LabelInvalid addLabels"));
      expect(yield* fieldOf({ removeLabels: ["a\\b"] })).toEqual(Array(2).fill("LabelInvalid removeLabels"));
      expect(yield* fieldOf({ addLabels: ["Work"], removeLabels: ["Old"] })).toEqual(["right", "right"]);
    }),
  );
});
