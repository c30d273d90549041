import { FolderManagement, Folders } from "@postern/core/folders";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../Cluster.ts";
import type { Visit } from "../../../Visit.ts";

/** The number of levels of folders. */
const DEEPEST = 10;
/** Names that no folder may have. */
const REFUSED = [
  "",
  " edge",
  "edge ",
  "a/b",
  "star*",
  "per%cent",
  "up..",
  "bell\u0007",
  "x".repeat(256),
  "ü".repeat(96),
];
/** Names of the greatest length in bytes of IMAP's encoding. */
const LONGEST = ["y".repeat(255), "é".repeat(94)];

/** Checks which names and places folders may have, how requests name folders, and what they answer. */
export const checkNames = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("naming");
    const mail = cluster.mail.account(account);
    const ask = <A, E>(use: (folders: FolderManagement["Service"]) => Effect.Effect<A, E>) =>
      visit.ask("folders", (services) => use(Context.get(services, FolderManagement)));
    const tag = <A, E extends { readonly _tag: string }>(
      use: (folders: FolderManagement["Service"]) => Effect.Effect<A, E>,
    ) => visit.tagOf("folders", (services) => use(Context.get(services, FolderManagement)));
    const create = (name: string, parentId: string | null = null) =>
      ask((all) => all.create(account, { name, parentId }));
    const change = (id: string, more: { name?: string; parentId?: string | null }) =>
      ask((all) => all.change(account, id, more));
    const resolve = (wanted: string) =>
      Effect.map(
        Effect.result(visit.ask("resolve", (services) => Context.get(services, Folders).resolve(account, wanted))),
        (found) => (found._tag === "Success" ? found.success.path : found.failure._tag),
      );

    for (const name of REFUSED)
      visit.same(
        yield* tag((all) => all.create(account, { name, parentId: null })),
        "FolderNameInvalid",
        `a folder ${JSON.stringify(name)}`,
      );
    for (const name of LONGEST) visit.same((yield* create(name)).name, name, "a folder with a long name");
    visit.same((yield* create("Cafe\u0301")).name, "Caf\u00E9", "the form of a name");
    visit.same(
      yield* tag((all) => all.create(account, { name: "CAF\u00C9", parentId: null })),
      "FolderExists",
      "a name in capitals",
    );

    const at = visit.now;
    const [box, other] = [yield* create("Box"), yield* create("Other")];
    visit.expect(Math.abs(box.createdAt - at) < 5_000, "a folder is not created when it was");
    const twins = [yield* create("Twin", box.id), yield* create("Twin", other.id)];
    visit.same(
      twins.map(({ parentId }) => parentId),
      [box.id, other.id],
      "the parents of new folders",
    );
    const named = ["iNbOx", "trash", box.id, "Box/Twin", "Box", "Twin", "box", "f_unknown"];
    const promised = [
      "INBOX",
      "Trash",
      "Box",
      "Box/Twin",
      "Box",
      "FolderAmbiguous",
      "FolderNotFound",
      "FolderNotFound",
    ];
    visit.same(yield* Effect.forEach(named, resolve), promised, "what requests name");
    // A path comes before a name, and an id before both.
    mail.create("Other/Box");
    visit.same(yield* resolve("Box"), "Box", "a path that is a name, too");

    visit.same(
      yield* tag((all) => all.change(account, twins[1]!.id, { parentId: box.id })),
      "FolderExists",
      "a move to a sibling's name",
    );
    const renamed = yield* change(twins[1]!.id, { name: "twin" });
    visit.same(
      [renamed.id, renamed.name, renamed.parentId, renamed.createdAt],
      [twins[1]!.id, "twin", other.id, twins[1]!.createdAt],
      "a folder renamed in its case",
    );
    const moved = yield* change(twins[1]!.id, { name: "Third", parentId: null });
    visit.same([moved.id, moved.name, moved.parentId], [twins[1]!.id, "Third", null], "a folder moved and renamed");
    const refused = yield* tag((all) => all.change(account, box.id, { name: "Never" }, () => false));
    visit.same([refused, yield* resolve("Never")], ["FolderChanged", "FolderNotFound"], "a change of another version");
    visit.same(
      yield* tag((all) => all.remove(account, box.id, { permanent: true, recursive: true }, () => false)),
      "FolderChanged",
      "a removal of another version",
    );

    const levels: Array<string> = [other.id];
    while (levels.length < DEEPEST) levels.push((yield* create(`Level ${levels.length + 1}`, levels.at(-1)!)).id);
    const deepest = levels.at(-1)!;
    visit.same(
      yield* tag((all) => all.create(account, { name: "Level 11", parentId: deepest })),
      "FolderParentInvalid",
      "an eleventh level",
    );
    const above = { parentId: levels.at(-2)! };
    visit.same(
      yield* tag((all) => all.change(account, box.id, above)),
      "FolderParentInvalid",
      "a move of a folder in a folder to an eleventh level",
    );
  });
