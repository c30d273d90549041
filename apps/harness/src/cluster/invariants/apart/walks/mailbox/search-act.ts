import { Search } from "@postern/core/messages";
import { Context, Effect } from "effect";
import type { Visit } from "../../../../Visit.ts";
import type { SeededRandom } from "../../../../timeline/SeededRandom.ts";
import type { Act } from "../walk.ts";
import { type BoxModel, PLACES } from "./BoxModel.ts";

/** A search whose results, by cursors, are compared with the model. */
export const searchAct = (visit: Visit, random: SeededRandom, model: BoxModel): Act => ({
  name: "search",
  weight: 2,
  run: Effect.gen(function* () {
    const one = random.pick(model.messages);
    const [name, request, holds] = random.pick([
      ["unread messages", { unread: true }, (other) => other.unread],
      ["flagged messages", { q: "is:flagged" }, (other) => other.flagged],
      ["unflagged messages", { flagged: false }, (other) => !other.flagged],
      ["a label", { label: "WORK" }, (other) => other.labels.includes("work")],
      ["a Message-ID", { messageId: one?.messageId.slice(1, -1) }, (other) => other.messageId === one?.messageId],
      ["a subject", { subject: one?.subject ?? "none" }, (other) => other.subject === one?.subject],
    ] satisfies ReadonlyArray<
      readonly [string, Parameters<Search["Service"]["list"]>[1], (other: BoxModel["messages"][number]) => boolean]
    >)!;
    const place = random.chance(0.5) ? random.pick(PLACES) : undefined;
    const promised = (place === undefined ? PLACES : [place]).flatMap((where) => model.in(where).filter(holds));
    const [limit, order] = [random.between(1, 5), random.pick(["folder", "date"] as const)];
    const found: Array<string> = [];
    for (let cursor: string | undefined, parts = 0; parts < 100; parts++) {
      const page = yield* visit.ask("search", (services) =>
        Context.get(services, Search).list(model.account, { ...request, folder: place, limit, order, cursor }),
      );
      const unread = promised.filter((other) => other.unread).length;
      visit.same([page.total, page.unread, page.incomplete], [promised.length, unread, null], `the counts of ${name}`);
      for (const entry of page.emails) model.check(entry, name);
      found.push(...page.emails.map(({ message }) => message.subject));
      if (page.nextCursor === null) break;
      visit.same(page.emails.length, limit, `the messages of a page of ${name} that is not the last`);
      cursor = page.nextCursor;
    }
    const names = promised.map(({ subject }) => subject);
    const byDate = found.toSorted((some, other) => model.arrivalOf(other) - model.arrivalOf(some));
    if (order === "folder") visit.same(found, names, `the results of ${name}`);
    else visit.same([found, byDate.toSorted()], [byDate, names.toSorted()], `the results by date of ${name}`);
  }),
});
