import { it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { describe, expect } from "vitest";
import { ActingAgent, type Agent } from "../../src/auth/index.ts";
import { MessageActions } from "../../src/messages/index.ts";
import { idOf, MailboxWorld, ME, stored } from "./mailbox-in-memory.ts";

const world = () =>
  new MailboxWorld([
    { id: "inbox", role: "inbox", messages: [stored(1)] },
    { id: "sent", role: "sent", messages: [] },
    { id: "drafts", role: "drafts", messages: [] },
    { id: "archive", role: "archive", messages: [] },
  ]);

/** Moves the message of the INBOX by both operations; returns the folder or the error of each. */
const movesTo = (folderId: string, agent: Agent | null) =>
  Effect.forEach(
    [
      (actions: MessageActions["Service"]) =>
        Effect.map(
          actions.carryOut(ME, [idOf("inbox", 1)], { _tag: "Change", flags: {}, folderId }),
          ({ movedTo }) => movedTo,
        ),
      (actions: MessageActions["Service"]) =>
        Effect.map(actions.change(ME, idOf("inbox", 1), {}, folderId), ({ folder }) => folder.id),
    ],
    (move) => {
      const mail = world();
      return Effect.flatMap(MessageActions, move).pipe(
        Effect.provide(MessageActions.layer.pipe(Layer.provide(mail.layer))),
        Effect.provideService(ActingAgent, agent),
        Effect.catch(({ _tag }) => Effect.succeed(_tag)),
        Effect.map((answer) => [answer, mail.folder("inbox")!.messages.length] as const),
      );
    },
  );

describe("an agent", () => {
  it.effect("moves no message into Sent or Drafts, and any into other folders [S13.1-6]", () =>
    Effect.gen(function* () {
      const agent = { policy: null } as Agent;
      for (const folder of ["sent", "drafts"]) {
        expect(yield* movesTo(folder, agent)).toEqual(Array.from({ length: 2 }, () => ["AgentNotAllowed", 1]));
        expect(yield* movesTo(folder, null)).toEqual(Array.from({ length: 2 }, () => [folder, 0]));
      }
      expect(yield* movesTo("archive", agent)).toEqual(Array.from({ length: 2 }, () => ["archive", 0]));
    }),
  );
});
