import { Effect } from "effect";
import type { Cluster } from "../../../Cluster.ts";
import type { Visit } from "../../../Visit.ts";
import { textOf } from "../../../world/accounts.ts";
import { foldersOf } from "./folders-of.ts";

/** The user makes other mailboxes the Trash, which are new or known, and have the UIDVALIDITY and UIDs of the Trash. */
export const moveRoles = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("roles");
    const mail = cluster.mail.account(account);
    const { list, folders, open, shownIn } = foldersOf(visit, account);
    const fill = (path: string) => mail.mailbox(path).append(textOf(`<${path}@far.test>`, account), visit.now);
    const alike = (path: string) => mail.create(path, undefined, mail.mailbox("Trash").uidValidity);
    fill("Trash");
    alike("Known");
    fill("Known");
    const shown = new Map([...(yield* shownIn("trash")), ...(yield* shownIn("Known"))]);
    for (const path of ["New", "Known", "Newer", "Trash", "New"]) {
      if (mail.find(path) === undefined) {
        alike(path);
        fill(path);
      }
      mail.layRole("trash", path);
      const all = yield* folders;
      const trash = yield* list("trash");
      visit.same(
        [trash.folder.path, trash.emails.map(({ message }) => message.messageId)],
        [path, [`<${path}@far.test>`]],
        "the Trash",
      );
      for (const [id, messageId] of yield* shownIn("trash")) shown.set(id, messageId);
      visit.same(new Set(all.map(({ id }) => id)).size, all.length, "the number of ids of folders");
      visit.same(
        all.filter(({ role }) => role === "trash").map((one) => [one.id, one.path]),
        [["trash", path]],
        "the folder with the role",
      );
      yield* open(shown, `after ${path} became the Trash`);
    }
  });
