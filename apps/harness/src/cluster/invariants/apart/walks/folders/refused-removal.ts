import { AccountSessions } from "@postern/core/auth";
import { FolderManagement } from "@postern/core/folders";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { textOf } from "../../../../world/accounts.ts";
import { HOUR, MINUTE, SECOND } from "../../durations.ts";
import { hasMove } from "../../../../servers/server-traits.ts";
import type { Act } from "../walk.ts";
import type { FolderModel } from "./FolderModel.ts";

/**
 * A removal that the mail server refuses after the folder was hidden goes on once the server permits it, although the user has
 * signed out meanwhile, and moves each message once. [S3.7-5] [S4.6-10]
 */
export const refusedRemoval = (
  visit: Visit,
  { random, timeline }: Cluster,
  account: AccountId,
  model: FolderModel,
  list: Effect.Effect<void, unknown>,
): Act => ({
  name: "a removal is refused, and the user signs out",
  // The simulation of a server without MOVE does not refuse moves.
  isPossible: () => hasMove(account) && model.nodes.some((node) => node.id !== null && model.below(node).length === 1),
  run: Effect.gen(function* () {
    yield* list;
    const node = random.pick(model.nodes.filter((one) => model.below(one).length === 1))!;
    const [path, trash] = [model.pathOf(node), model.mail.mailbox("Trash")];
    const mailbox = model.mail.mailbox(path);
    mailbox.append(textOf(`<refused-${timeline.now}@far.test>`, account), timeline.now);
    const going = mailbox.messages.map(({ summary }) => summary.messageId ?? "");
    const before = trash.messages.length;
    trash.isReadOnly = true;
    const refused = visit.tagOf("remove", (services) =>
      Context.get(services, FolderManagement).remove(account, node.id!, { permanent: false, recursive: false }),
    );
    visit.same(yield* refused, "MailServerError", "a removal that the mail server refuses");
    const { items } = yield* visit.ask("sessions", (services) =>
      Context.get(services, AccountSessions).page(account, {}),
    );
    for (const { id } of items) {
      yield* visit.ask("sign out", (services) => Context.get(services, AccountSessions).end(account, id));
    }
    yield* visit.wait(random.between(1, 20) * SECOND);
    trash.isReadOnly = false;
    // A jump at the very instant of an attempt would end its lease, and with it the count of what it moves.
    yield* visit.wait(SECOND / 2);
    yield* visit.skip(random.pick([MINUTE, HOUR]));
    const isOver = () => model.mail.find(path) === undefined && trash.messages.length === before + going.length;
    const hidden = () => model.mail.list().some((one) => one.path.includes("postern-"));
    yield* visit.within(2 * HOUR, "a removal does not go on after its user signed out", () => isOver() && !hidden());
    const arrived = trash.messages.slice(before).map(({ summary }) => summary.messageId ?? "");
    visit.same(arrived.toSorted(), going.toSorted(), "the messages of a removed folder");
    yield* visit.signIn(account);
    // A repeated request gets the answer that the first one did not.
    const again = yield* visit.ask("remove", (services) =>
      Context.get(services, FolderManagement).remove(account, node.id!, { permanent: false, recursive: false }),
    );
    visit.same(again, { id: node.id, movedTo: "trash", movedCount: going.length }, "the answer to a repeated removal");
    model.remove(node);
  }),
});
