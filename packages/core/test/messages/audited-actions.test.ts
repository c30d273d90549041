import { it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { describe, expect } from "vitest";
import { AuditTrail } from "../../src/audit/index.ts";
import { ActingAgent } from "../../src/auth/index.ts";
import { MessageActions } from "../../src/messages/index.ts";
import { hasFlags, scopeOfAction } from "../../src/messages/MessageAction.ts";
import { idOf, MailboxWorld, ME, stored } from "./mailbox-in-memory.ts";

const ID = idOf("inbox", 1);

/** Returns what is recorded in the audit while an agent, or a person, acts on a message of the INBOX. */
const recordedBy = (
  isAgent: boolean,
  use: (actions: MessageActions["Service"]) => Effect.Effect<unknown, { readonly _tag: string }>,
) =>
  Effect.gen(function* () {
    const mail = new MailboxWorld([{ id: "inbox", role: "inbox", messages: [stored(1)] }]);
    const recorded: Array<unknown> = [];
    yield* Effect.flatMap(MessageActions, use).pipe(
      Effect.provide(MessageActions.layer.pipe(Layer.provide(mail.layer))),
      Effect.provideService(ActingAgent, isAgent ? { policy: null } : null),
      Effect.provideService(AuditTrail, (operation, { account, target, ids }) =>
        Effect.sync(() => void recorded.push([operation, account, target ?? ids])),
      ),
    );
    return recorded;
  });

describe("the audit of actions on messages", () => {
  it.effect("has each deletion, and changes by agents [S8.7-1]", () =>
    Effect.gen(function* () {
      for (const isAgent of [true, false]) {
        const by = (use: Parameters<typeof recordedBy>[1]) => recordedBy(isAgent, use);
        const changes = [
          yield* by((actions) => actions.carryOut(ME, [ID], { _tag: "Change", flags: { unread: false } })),
          yield* by((actions) => actions.change(ME, ID, { unread: false }, undefined)),
        ];
        expect(changes).toEqual(isAgent ? [[["messages.batch", ME, [ID]]], [["messages.change", ME, ID]]] : [[], []]);
        for (const _tag of ["Trash", "Destroy"] as const) {
          expect(yield* by((actions) => actions.carryOut(ME, [ID], { _tag }))).toEqual([["messages.batch", ME, [ID]]]);
        }
        for (const isPermanent of [true, false]) {
          expect(yield* by((actions) => actions.remove(ME, ID, isPermanent))).toEqual([["messages.remove", ME, ID]]);
        }
      }
    }),
  );

  it.effect("has nothing of a request that is invalid", () =>
    Effect.gen(function* () {
      const long = "x".repeat(10_000);
      const uses: ReadonlyArray<Parameters<typeof recordedBy>[1]> = [
        (actions) => actions.remove(ME, long, true),
        (actions) => actions.change(ME, long, { unread: true }, undefined),
        (actions) => actions.carryOut(ME, [long], { _tag: "Trash" }),
      ];
      for (const use of uses) {
        const recorded = recordedBy(true, (actions) =>
          Effect.match(use(actions), {
            onFailure: ({ _tag }) => expect(_tag).toBe("InputInvalid"),
            onSuccess: () => expect.unreachable(),
          }),
        );
        expect(yield* recorded).toEqual([]);
      }
    }),
  );
});

describe("an action", () => {
  it.effect("needs the scope to delete only if it deletes permanently", () =>
    Effect.sync(() => {
      expect((["Destroy", "Trash", "Change"] as const).map(scopeOfAction)).toEqual([
        "mail:delete",
        "mail:organize",
        "mail:organize",
      ]);
    }),
  );

  it.effect("changes flags if one of them is given", () =>
    Effect.sync(() => {
      expect(
        [{}, { unread: undefined }, { unread: undefined, flagged: false }, { addLabels: [] }].map(hasFlags),
      ).toEqual([false, false, true, true]);
    }),
  );
});
