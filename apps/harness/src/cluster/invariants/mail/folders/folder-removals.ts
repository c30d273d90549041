import { FolderManagement } from "@postern/core/folders";
import { Inbox, MessageActions } from "@postern/core/messages";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../Cluster.ts";
import { eventsOf } from "../../../events-of.ts";
import type { Visit } from "../../../Visit.ts";
import { textOf } from "../../../world/accounts.ts";

/** Checks to which places the messages of a removed folder may go, and what holds no messages. */
export const checkRemovals = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("removals");
    const mail = cluster.mail.account(account);
    const ask = <A, E>(use: (folders: FolderManagement["Service"]) => Effect.Effect<A, E>) =>
      visit.ask("folders", (services) => use(Context.get(services, FolderManagement)));
    const create = (name: string, parentId: string | null = null) =>
      ask((all) => all.create(account, { name, parentId }));
    const tag = <A, E extends { readonly _tag: string }>(
      use: (folders: FolderManagement["Service"]) => Effect.Effect<A, E>,
    ) => visit.tagOf("folders", (services) => use(Context.get(services, FolderManagement)));
    const remove = (id: string, moveTo?: string, permanent = false) =>
      tag((all) => all.remove(account, id, { permanent, recursive: true, ...(moveTo && { moveTo }) }));
    const [box, other] = [yield* create("Box"), yield* create("Other")];
    const level = (yield* create("Level", other.id)).id;
    visit.same(
      [
        yield* remove(other.id, other.id),
        yield* remove(other.id, level),
        yield* remove(other.id, "f_unknown"),
        yield* remove(other.id, box.id, true),
        yield* remove("trash"),
      ],
      ["DestinationInvalid", "DestinationInvalid", "FolderNotFound", "DestinationInvalid", "FolderIsSystem"],
      "removals to places that cannot be",
    );
    mail.create("Shell/Core").append(textOf("<core@far.test>", account), visit.now);
    const list = (folder: string) =>
      visit.tagOf("list", (services) => Context.get(services, Inbox).list(account, { folder }));
    visit.same(yield* list("Shell"), "FolderNotSelectable", "a listing of a folder without messages");
    const { page } = yield* visit.ask("list", (services) =>
      Context.get(services, Inbox).list(account, { folder: "Shell/Core" }),
    );
    const shell = (yield* ask((all) => all.list(account))).find(({ name }) => name === "Shell")!;
    const into = visit.tagOf("move", (services) =>
      Context.get(services, MessageActions).change(account, page.emails[0]!.id, {}, shell.id),
    );
    visit.same(
      [shell.messageCount, yield* into, yield* remove(box.id, shell.id)],
      [0, "FolderNotSelectable", "DestinationInvalid"],
      "a folder without messages",
    );
    // Without a destination, messages are moved to Trash.
    const gone = yield* ask((all) => all.remove(account, shell.id, { permanent: false, recursive: true }));
    visit.same(
      [gone.movedTo, gone.movedCount, mail.mailbox("Trash").messages.length],
      ["trash", 1, 1],
      "a removal without a destination",
    );
    yield* ask((all) => all.list(account));
    visit.same(eventsOf(cluster, account, "folder.deleted").length, 2, "the removed folders that are told");
  });
