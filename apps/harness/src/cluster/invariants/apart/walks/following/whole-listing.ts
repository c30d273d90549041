import { Inbox } from "@postern/core/messages";
import { Context, Effect } from "effect";
import { byText } from "../../../../by-text.ts";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import type { FollowModel, FolderName } from "./FollowModel.ts";
import { chooseFolders, isIn } from "./readers.ts";

/** A number of answers larger than the listing of a walk needs. */
const MAX_PARTS = 60;

/** Lists all messages of the account in some folders, and compares them with the model. */
export const wholeListing = (
  visit: Visit,
  { random }: Cluster,
  model: FollowModel,
  idOf: (folder: string) => string,
) => {
  const { account } = model;
  const ask = (folders: string | undefined, limit: number, cursor: string | undefined) =>
    visit.ask("list all", (services) =>
      Context.get(services, Inbox).listAccount(account, {
        limit,
        ...(folders && { folders }),
        ...(cursor && { cursor }),
      }),
    );
  type Part = Effect.Success<ReturnType<typeof ask>>;
  const read = Effect.fnUntraced(function* (folders: string | undefined) {
    const found: Array<Part["emails"][number]> = [];
    for (let cursor: string | undefined, parts = 0; parts < MAX_PARTS; parts++) {
      const limit = random.pick([1, 3, 200]);
      const part: Part = yield* ask(folders, limit, cursor);
      visit.expect(part.emails.length <= limit, "an answer of the listing of an account has more than its limit");
      found.push(...part.emails);
      if (part.nextCursor === null) return found;
      cursor = part.nextCursor;
    }
    visit.expect(false, "the listing of an account does not end");
    return found;
  });
  const lineOf = (folder: string, subject: string) => `${folder} ${subject}`;

  const choose = (closed: FolderName | null) => {
    if (closed !== null && random.chance(0.4)) return idOf(closed);
    return random.chance(0.3) ? undefined : chooseFolders(random, idOf);
  };

  /**
   * Compares a listing, of the folder `of` or of some folders; while the server does not open the folder `closed`, the listing may
   * fail, but leaves nothing out.
   */
  return (closed: FolderName | null, of?: FolderName) =>
    Effect.gen(function* () {
      const folders = of === undefined ? choose(closed) : idOf(of);
      const isChosen = isIn(folders ?? "*", idOf);
      const name = `the listing of ${folders ?? "the default folders"} while ${closed ?? "no folder"} is closed`;
      const promised = model.messages.filter(({ folder }) => isChosen(folder));
      const answer = yield* Effect.result(read(folders));
      if (answer._tag === "Failure" && closed !== null && isChosen(closed)) return;
      if (answer._tag === "Failure") return visit.expect(false, `${name} fails with ${answer.failure._tag}`);
      const found = answer.success;
      visit.same(
        found.map(({ path, message }) => lineOf(path, message.subject ?? "")).toSorted(byText),
        promised.map(({ folder, subject }) => lineOf(folder, subject)).toSorted(byText),
        name,
      );
      const runs = found.map(({ path }) => path).filter((path, n, all) => path !== all[n - 1]);
      visit.same(runs.length, new Set(runs).size, `the number of folders of ${name}, each once`);
      const ends = runs.filter((path) => path === "INBOX" || path === "Junk" || path === "Trash");
      visit.same(
        [ends.join(), runs.includes("INBOX") ? runs[0] : "INBOX"],
        [["INBOX", "Junk", "Trash"].filter((path) => runs.includes(path)).join(), "INBOX"],
        `the order of the folders of ${name}`,
      );
      for (const path of runs) {
        const uids = found.flatMap((one) => (one.path === path ? [one.message.uid] : []));
        visit.same(
          uids,
          uids.toSorted((one, other) => other - one),
          `the order in ${path} of ${name}`,
        );
      }
      if (!model.isAll) return;
      for (const { id, message } of found) {
        const isCopied = model.messages.some(({ subject, isCopied: is }) => is && subject === message.subject);
        const told = [...model.subjects].findLast(([, subject]) => subject === message.subject)?.[0];
        if (told !== undefined && !isCopied) visit.same(id, told, `the id of ${message.subject} in ${name}`);
      }
    });
};
