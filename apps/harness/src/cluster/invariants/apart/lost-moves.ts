import { Inbox, MessageActions, Messages } from "@postern/core/messages";
import { Context, Effect } from "effect";
import type { Invariant } from "../../Invariant.ts";
import { textOf } from "../../world/accounts.ts";
import { ARCHIVE } from "../../world/folders.ts";
import { MINUTE, SECOND } from "./durations.ts";

/**
 * Of two equal messages that Postern moves at a time, the answer about one is lost: each id still opens a message of its own in
 * the folder, and the ids of the messages stay. [S5.2-9] [S5.2-11]
 */
export const lostMoves: Invariant = {
  name: "lost-moves",
  watch: () => ({
    apart: (visit, { mail: world, servers }) =>
      Effect.gen(function* () {
        const account = yield* visit.signUp("losing-answers");
        const mail = world.account(account);
        mail.create(ARCHIVE);
        for (let n = 0; n < 2; n++) mail.mailbox("INBOX").append(textOf("<equal@far.test>", account), visit.now);
        const list = (folder: string) =>
          Effect.map(
            visit.ask("list", (services) => Context.get(services, Inbox).list(account, { folder })),
            ({ page }) => page,
          );
        const { id: archive } = (yield* list("Archive")).folder;
        const ids = (yield* list("inbox")).emails.map(({ id }) => id);
        const move = (id: string) =>
          visit.ask("move", (services) => Context.get(services, MessageActions).change(account, id, {}, archive));
        const calls = { begin: 0, move: 0 };
        servers.lateness = ({ port, method }) => {
          // The first move to be recorded is the last one to be carried out.
          if (port === "MovedMessages" && method === "begin") return calls.begin++ === 0 ? 2 * SECOND : 0;
          return port === "MessageChanges" && method === "move" && calls.move++ === 1 ? 10 * SECOND : 0;
        };
        const loseAnswer = Effect.gen(function* () {
          yield* visit.wait(SECOND);
          yield* move(ids[1]!);
          yield* visit.wait(5 * SECOND);
          servers.unreachable.add(account);
          yield* visit.wait(10 * SECOND);
          servers.unreachable.delete(account);
        });
        const [moved] = yield* Effect.all([Effect.exit(move(ids[0]!)), loseAnswer], { concurrency: 2 });
        servers.lateness = null;
        visit.same(moved._tag, "Failure", "a move whose answer is lost");
        yield* visit.wait(MINUTE);
        const opened = yield* Effect.forEach(ids, (id) =>
          visit.tagOf("open", (services) => Context.get(services, Messages).read(account, id)),
        );
        visit.same(opened, ["Answered", "Answered"], "two equal messages that were moved");
        const found = (yield* list(archive)).emails.map(({ id }) => id);
        visit.same(found.toSorted(), ids.toSorted(), "the ids of two equal messages that were moved");
      }),
  }),
};
