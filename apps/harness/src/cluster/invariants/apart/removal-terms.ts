import { FolderManagement } from "@postern/core/folders";
import { Inbox, Messages } from "@postern/core/messages";
import { Context, Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import { dataOf, eventsOf } from "../../events-of.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";
import { textOf } from "../../world/accounts.ts";
import { ARCHIVE } from "../../world/folders.ts";
import { HOUR, MINUTE, SECOND } from "./durations.ts";

/** The hours for which a refused removal is tried, and for which the mail server refuses it in the first case. */
const TRIED = 24;
const REFUSED = 22;

/**
 * A removal that the mail server refuses after the folder was hidden is tried for 24 hours. Then the folder is there again, with
 * its id and its messages, and its owner is told once. A refusal before that is final, and no other account hears of it. [S4.6-9]
 * [S4.6-10] [S4.6-11]
 */
export const removalTerms: Invariant = {
  name: "removal-terms",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        yield* refuse(visit, cluster, "source");
        yield* refuse(visit, cluster, "destination", REFUSED);
        yield* refuse(visit, cluster, "destination");
      }),
  }),
};

/** The mail server refuses to rename a folder, or to move messages to another one, for some hours or for ever. */
const refuse = (visit: Visit, cluster: Cluster, which: "source" | "destination", hours = Infinity) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp(`refusing-${which}-${hours}`.toLowerCase());
    const mail = cluster.mail.account(account);
    const [source, destination] = [mail.create("Refused"), mail.create(ARCHIVE)];
    for (const n of [1, 2]) source.append(textOf(`<refused-${n}@far.test>`, account), visit.now);
    const closed = which === "source" ? source : destination;
    const ask = <A, E>(use: (folders: FolderManagement["Service"]) => Effect.Effect<A, E>) =>
      visit.ask("folders", (services) => use(Context.get(services, FolderManagement)));
    const listed = Effect.map(
      ask((all) => all.list(account)),
      (all) => new Map(all.map(({ name, id }) => [name, id])),
    );
    const failures = () => eventsOf(cluster, account, "folder.delete_failed");
    const before = yield* listed;
    const id = before.get("Refused")!;
    const { page } = yield* visit.ask("list", (services) =>
      Context.get(services, Inbox).list(account, { folder: "Refused" }),
    );
    closed.isReadOnly = true;
    const moveTo = before.get(ARCHIVE)!;
    const refused = yield* visit.tagOf("remove", (services) =>
      Context.get(services, FolderManagement).remove(account, id, { permanent: false, recursive: false, moveTo }),
    );
    visit.same(refused, "MailServerError", "the answer to a removal that is refused");
    visit.same(
      (yield* listed).get("Refused"),
      which === "source" ? id : undefined,
      "a folder whose removal was refused",
    );
    yield* visit.skip(Math.min(hours, TRIED - 1) * HOUR);
    visit.same((yield* listed).get("Refused"), which === "source" ? id : undefined, "a folder whose removal is tried");
    visit.same(failures().length, 0, "the failures that are told before a removal was tried for a day");
    closed.isReadOnly = hours === Infinity;
    // Another program removes the destination, or takes the name of the folder.
    const isChanged = which === "destination" && cluster.random.chance(0.5);
    if (isChanged && hours !== Infinity) mail.delete(ARCHIVE);
    const isTaken = isChanged && hours === Infinity;
    if (isTaken) mail.create("Refused").append(textOf("<another@far.test>", account), visit.now);
    for (let times = 0; times < 2; times++) yield* visit.skip(HOUR + MINUTE);
    yield* visit.wait(5 * SECOND);

    const isRemoved = hours !== Infinity;
    const name = [...(yield* listed)].find(([, one]) => one === id)?.[0];
    visit.same(name !== undefined, !isRemoved, `a folder whose ${which} refused a removal`);
    visit.expect(isRemoved || (name === "Refused") !== isTaken, `a folder whose removal was refused is ${name}`);
    const told = failures().map((event) => [dataOf(event, "id"), dataOf(event, "name")]);
    visit.same(told, which === "source" || isRemoved ? [] : [[id, name]], "the failures that are told");
    const taken = isTaken ? mail.mailbox("Refused").messages.map(({ summary }) => summary.messageId) : [];
    visit.same(taken, isTaken ? ["<another@far.test>"] : [], "the messages of a folder that took the name");
    const [here, there] = [isRemoved ? ARCHIVE : (name ?? ""), isRemoved ? "Refused" : ARCHIVE];
    visit.same(
      [mail.mailbox(here).messages.length, mail.find(there)?.mailbox?.messages.length ?? 0],
      [2, 0],
      "the messages of a removal that was refused",
    );
    for (const { id: shown, message } of page.emails) {
      const read = yield* visit.ask("read", (services) => Context.get(services, Messages).read(account, shown));
      visit.same(read.summary.messageId, message.messageId, "what an id opens after a removal that was refused");
    }
  });
