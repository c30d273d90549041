import { FolderManagement } from "@postern/core/folders";
import { Inbox } from "@postern/core/messages";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { textOf } from "../../../../world/accounts.ts";
import type { Act } from "../walk.ts";
import type { BoxModel } from "./BoxModel.ts";

type Request = Parameters<Inbox["Service"]["listAccount"]>[1];

/** A number of parts larger than the listing of a walk has. */
const MAX_PARTS = 40;

/**
 * A listing of the account goes on although another program deletes the folder in which it stopped, and begins again if that folder
 * got a new UIDVALIDITY; what names no folder, or another one than its cursor, is refused. [S5.7-2] [S5.7-3]
 */
export const accountListingAct = (visit: Visit, { random, mail }: Cluster, model: BoxModel): Act => {
  const { account } = model;
  const list = (request: Request) =>
    Effect.result(visit.ask("list all", (services) => Context.get(services, Inbox).listAccount(account, request)));
  const refuse = Effect.fnUntraced(function* (request: Request, promised: string) {
    const answer = yield* list(request);
    visit.same(
      answer._tag === "Failure" ? answer.failure._tag : "answered",
      promised,
      `a listing of the account with ${JSON.stringify(request)}`,
    );
  });
  return {
    name: "list the account while a folder goes",
    weight: 2,
    run: Effect.gen(function* () {
      const server = mail.account(account);
      const passing = server.create("Passing");
      for (const n of [1, 2, 3]) passing.append(textOf(`<passing-${n}@far.test>`, account), visit.now);
      const all = yield* visit.ask("folders", (services) => Context.get(services, FolderManagement).list(account));
      const { id } = all.find(({ name }) => name === "Passing")!;
      const folders = `${id},junk`;
      const first = yield* list({ folders, limit: 2 });
      if (first._tag === "Failure")
        return visit.expect(false, `a listing of two folders is refused: ${first.failure._tag}`);
      visit.same(
        first.success.emails.map(({ message }) => message.messageId),
        ["<passing-3@far.test>", "<passing-2@far.test>"],
        "the first part of a listing of two folders",
      );
      let cursor = first.success.nextCursor ?? undefined;
      yield* refuse({ folders: "junk", cursor }, "CursorMalformed");
      yield* refuse({ folders: `junk,${id.slice(0, -1)}${id.endsWith("a") ? "b" : "a"}` }, "FolderNotFound");
      yield* refuse(random.pick([{ limit: 0 }, { limit: 201 }, { folders: "nowhere" }]), "InputInvalid");
      if (random.chance(0.4)) {
        server.recreate("Passing");
        yield* refuse({ folders, cursor }, "CursorStale");
        server.delete("Passing");
        return;
      }
      const isGone = random.chance(0.7);
      if (isGone) server.delete("Passing");
      const found: Array<string> = [];
      for (let parts = 0; cursor !== undefined && parts < MAX_PARTS; parts++) {
        const part = yield* list({ folders, cursor, limit: random.between(1, 4) });
        if (part._tag === "Failure") return visit.expect(false, `a listing ends with ${part.failure._tag}`);
        for (const entry of part.success.emails) {
          if (entry.path === "Junk") model.check(entry, "the account without a folder");
          found.push(entry.message.messageId ?? "");
        }
        cursor = part.success.nextCursor ?? undefined;
      }
      const inJunk = model.in("Junk").map(({ messageId }) => messageId);
      visit.same(
        found,
        isGone ? inJunk : ["<passing-1@far.test>", ...inJunk],
        `what follows in a listing ${isGone ? "whose folder is gone" : "of two folders"}`,
      );
      if (!isGone) server.delete("Passing");
      yield* refuse({ folders: id }, "FolderNotFound");
    }),
  };
};
