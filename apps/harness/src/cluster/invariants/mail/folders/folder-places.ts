import { Effect } from "effect";
import { byText } from "../../../by-text.ts";
import type { Cluster } from "../../../Cluster.ts";
import { dataOf, eventsOf } from "../../../events-of.ts";
import type { Invariant } from "../../../Invariant.ts";
import type { Visit } from "../../../Visit.ts";
import { textOf } from "../../../world/accounts.ts";
import { foldersOf } from "./folders-of.ts";
import { checkNames } from "./folder-names.ts";
import { checkRemovals } from "./folder-removals.ts";
import { moveRoles } from "./moved-roles.ts";

/**
 * A folder keeps its id, and every id of a message opens that message, whatever other clients do with the folders: they rename
 * and exchange them, give a role to another mailbox, or the server gives a new UIDVALIDITY. [S4.2-3] [S4.2-4] [S4.2-6] [S4.3-1]
 * [S4.5-1] [S4.5-2] [S4.6-4] [S5.2-15]
 */
export const folderPlaces: Invariant = {
  name: "folder-places",
  watch: (cluster) => ({
    calm: (visit) =>
      Effect.gen(function* () {
        yield* checkNames(visit, cluster);
        yield* checkRemovals(visit, cluster);
        yield* changeElsewhere(visit, cluster);
        yield* moveRoles(visit, cluster);
      }),
  }),
};

const changeElsewhere = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("elsewhere");
    const mail = cluster.mail.account(account);
    const { managed, open, shownIn } = foldersOf(visit, account);
    for (const path of ["North", "South", "South/Deep", "West"]) {
      mail.create(path).append(textOf(`<${path.replace("/", "-")}@far.test>`, account), visit.now);
    }
    // Each folder got a different number of messages so far.
    mail.mailbox("South").append(textOf("<South-2@far.test>", account), visit.now);
    const before = new Map((yield* managed).map((folder) => [folder.name, folder]));
    visit.same(
      [...before].map(([name, { messageCount }]) => [name, messageCount]).toSorted(byText),
      [
        ["Deep", 1],
        ["North", 1],
        ["South", 2],
        ["West", 1],
      ],
      "the counts of folders",
    );
    visit.same(before.get("Deep")?.parentId, before.get("South")?.id, "the parent of a folder");
    const shown = new Map([
      ...(yield* shownIn("North")),
      ...(yield* shownIn("South")),
      ...(yield* shownIn("South/Deep")),
      ...(yield* shownIn("West")),
    ]);
    const steps: ReadonlyArray<readonly [string, () => void, Readonly<Record<string, string>>]> = [
      ["a rename with a folder in it", () => mail.rename("South", "Far South"), { South: "Far South" }],
      ["an exchange of names", () => exchange(mail, "North", "Far South"), { North: "Far South", South: "North" }],
      [
        "a new folder under a former name",
        () => (mail.rename("West", "East"), void mail.create("West")),
        { West: "East" },
      ],
      ["a move below another folder", () => mail.rename("East", "North/East"), { West: "East" }],
    ];
    const names = new Map([...before.keys()].map((name) => [name, name]));
    for (const [what, act, renamed] of steps) {
      act();
      for (const [name, now] of Object.entries(renamed)) names.set(name, now);
      const after = yield* managed;
      for (const [name, { id, createdAt }] of before) {
        const now = after.find((folder) => folder.id === id);
        visit.same([now?.name, now?.createdAt], [names.get(name), createdAt], `the folder ${name} after ${what}`);
      }
      yield* open(shown, `after ${what}`);
    }
    const told = eventsOf(cluster, account).length;
    const ids = (yield* managed).map(({ id }) => id).toSorted();
    mail.recreate("North");
    visit.same((yield* managed).map(({ id }) => id).toSorted(), ids, "the ids of folders after a new UIDVALIDITY");
    visit.same(eventsOf(cluster, account).length, told, "the events after a new UIDVALIDITY");
    const renames = eventsOf(cluster, account, "folder.renamed").map((event) => dataOf(event, "id"));
    const count = (name: string) => renames.filter((id) => id === before.get(name)!.id).length;
    visit.same(["North", "South", "Deep", "West"].map(count), [1, 2, 2, 2], "the renames that are told of folders");
  });

const exchange = (mail: ReturnType<Cluster["mail"]["account"]>, one: string, other: string): void => {
  mail.rename(one, "between");
  mail.rename(other, one);
  mail.rename("between", other);
};
