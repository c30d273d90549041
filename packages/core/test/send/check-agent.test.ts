import { it } from "@effect/vitest";
import { Effect, Layer, Stream } from "effect";
import { describe, expect } from "vitest";
import { Folders } from "../../src/folders/index.ts";
import { MessageReader, MessageSearch } from "../../src/messages/index.ts";
import { checkAgent } from "../../src/send/agents/check-agent.ts";
import { sentMail } from "../../src/send/agents/written-to.ts";
import { Identities, OutgoingJournal, type OutgoingContents } from "../../src/send/index.ts";
import type { Sender } from "../../src/send/identities/Sender.ts";
import type { MessageToSend } from "../../src/send/MessageToSend.ts";
import { ME } from "../messages/mailbox-in-memory.ts";
import { outgoing } from "../outgoing.ts";
import { address, MESSAGE } from "./plain-message.ts";

const NOW = 1_900_000_000_000;
const OWN = { from: { name: "Me", address: ME }, replyTo: [] };

/** Checks a message of an agent whose owner wrote to `ann@y.test` in the conversation; returns it, with what was asked. */
const check = (
  policy: Parameters<typeof checkAgent>[2],
  {
    wanted = {},
    ...more
  }: { wanted?: Partial<MessageToSend> } & Partial<Omit<Parameters<typeof checkAgent>[3], "wanted">>,
) => {
  const asked: Array<unknown> = [];
  const ports = Layer.mergeAll(
    Layer.mock(Folders, { list: () => Effect.succeed([]) }),
    Layer.mock(MessageSearch, { find: () => Stream.empty }),
    Layer.mock(MessageReader, {}),
    Layer.mock(OutgoingJournal, {
      findSentTo: (_, addresses) => Effect.sync(() => (asked.push(addresses), [{ ...outgoing(), messageId: "<1@x>" }])),
      contents: () =>
        Effect.succeedSome({
          headers: [],
          inReplyTo: null,
          references: [],
          to: [address("ann@y.test")],
          cc: [],
        } as Partial<OutgoingContents> as OutgoingContents),
    }),
    Layer.mock(Identities, { sender: () => Effect.succeed(OWN) }),
  );
  const read = {
    wanted: { ...MESSAGE, ...wanted },
    sender: OWN,
    attachments: [],
    answered: { inReplyTo: null, references: ["<1@x>"] },
    ...more,
  };
  return Effect.gen(function* () {
    const services = { mail: yield* sentMail, identities: yield* Identities };
    const answer = yield* Effect.result(checkAgent(services, ME, policy, read, NOW));
    return { answer: answer._tag === "Success" ? answer.success : answer.failure._tag, asked };
  }).pipe(Effect.provide(ports));
};

const POLICY = { to: ["thread", "ok@y.test"], approval: "outside" } as const;

describe("a message of an agent", () => {
  it.effect("within its policy is marked as unapproved", () =>
    Effect.gen(function* () {
      const { answer, asked } = yield* check(POLICY, { wanted: { headers: [] } });
      expect(answer).toEqual({ ...MESSAGE, headers: [["X-Postern-Agent", "unapproved"]] });
      // All recipients are named, so the conversation is not searched.
      expect(asked).toEqual([]);
    }),
  );

  it.effect(
    "may go to people whom the owner wrote to in the conversation, which is searched for unnamed ones only [S13.1-4]",
    () =>
      Effect.gen(function* () {
        const wanted = { to: [address("ok@y.test"), address("ann@y.test")], cc: [address("Ann@y.test")] };
        const { answer, asked } = yield* check(POLICY, { wanted });
        expect(answer).toMatchObject({ to: wanted.to, cc: wanted.cc });
        expect(asked).toEqual([["ann@y.test", "Ann@y.test"]]);
        for (const cc of [[address("eve@y.test")]])
          expect((yield* check(POLICY, { wanted: { cc } })).answer).toBe("ApprovalNeeded");
      }),
  );

  it.effect.each([
    ["always asks for an approval", { ...POLICY, approval: "always" as const }, "ApprovalNeeded"],
    ["names no conversation", { ...POLICY, to: ["ok@y.test"] }, "ApprovalNeeded"],
    ["never asks for an approval", { to: ["ok@y.test"], approval: "never" as const }, "OutsidePolicy"],
  ] as const)("under a policy that %s does not search the conversation", ([, policy, expected]) =>
    Effect.gen(function* () {
      const { answer, asked } = yield* check(policy, { wanted: { to: [address("ann@y.test")] } });
      expect([answer, asked]).toEqual([expected, []]);
    }),
  );

  it.effect.each<readonly [string, Sender]>([
    ["another address", { from: { name: "Me", address: "other@x.test" }, replyTo: [] }],
    ["another name", { from: { name: "Boss", address: ME }, replyTo: [] }],
  ])("from %s than the default identity needs an approval [S13.1-5]", ([, sender]) =>
    Effect.gen(function* () {
      expect((yield* check(POLICY, { sender })).answer).toBe("ApprovalNeeded");
    }),
  );

  it.effect("with a file needs an approval if another message has the file [S13.1-5]", () =>
    Effect.gen(function* () {
      const file = (uploadId: string) => ({ uploadId, name: "a", type: "text/csv", size: 1, contentId: null });
      expect((yield* check(POLICY, { attachments: [file("upl_1")] })).answer).toMatchObject({ to: MESSAGE.to });
      expect((yield* check(POLICY, { attachments: [file("upl_1"), file("upm_1")] })).answer).toBe("ApprovalNeeded");
    }),
  );
});
