import { Effect } from "effect";
import { dataOf, eventsOf } from "../../../../events-of.ts";
import type { Invariant } from "../../../../Invariant.ts";
import { type Act, walk, worldActs } from "../walk.ts";
import { folderActs } from "./folder-acts.ts";
import { foreignFolderActs } from "./foreign-folder-acts.ts";
import { refusedRemoval } from "./refused-removal.ts";
import { FolderModel, type FolderNode } from "./FolderModel.ts";

const STEPS = 18;

/**
 * After any requests and any changes by other mail programs, folders have the names, places, counts and ids that were promised,
 * and each change is told once. Names and places that cannot be are refused, and change nothing. [S2.6-3] [S2.6-6] [S2.6-7]
 * [S4.2-3] [S4.2-4] [S4.4-1] [S4.4-2] [S4.4-3] [S4.5-1] [S4.5-2] [S4.5-3] [S4.5-4] [S4.5-5] [S4.6-1] [S4.6-2] [S4.6-3] [S4.6-4]
 * [S4.6-5] [S4.6-6]
 */
export const folderWalk: Invariant = {
  name: "folder-walk",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        // The server of one of the accounts lacks MOVE: see `hasMove`.
        const account = yield* visit.signUp(visit.pickInTurn(["filing", "kim-filing"]));
        const model = new FolderModel(cluster.mail.account(account));
        const make = (name: string, parent: FolderNode | null) => {
          const node = model.add(name, parent);
          model.mail.create(model.pathOf(node));
          return node;
        };
        // Folders that are almost as deep as they may be, folders to move there, and a name that begins like another.
        for (const [name, levels] of [
          ["Deep", 8],
          ["Low", 3],
        ] as const) {
          for (let [level, parent]: [number, FolderNode | null] = [0, null]; level < levels; level++) {
            parent = make(`${name} ${level}`, parent);
          }
        }
        for (const name of ["Work", "Workshop"]) make(name, null);
        const acts = folderActs(visit, cluster, account, model);
        yield* acts[0]!.run;
        // The first listing is told of no folder.
        model.promised.length = 0;
        const told = () =>
          eventsOf(cluster, account).flatMap((event) =>
            event.type.startsWith("folder.") ? [`${event.type} ${dataOf(event, "id")} ${dataOf(event, "path")}`] : [],
          );
        const compared = (act: Act): Act => ({
          ...act,
          run: Effect.andThen(
            act.run,
            Effect.andThen(
              acts[0]!.run,
              Effect.sync(() => visit.same(told().toSorted(), model.promised.toSorted(), "the events of folders")),
            ),
          ),
        });
        const refusal = refusedRemoval(visit, cluster, account, model, acts[0]!.run);
        const all = [
          compared(refusal),
          ...acts.map(compared),
          ...foreignFolderActs(cluster, model),
          ...worldActs(visit, cluster, () => []),
        ];
        yield* walk(visit, cluster, all, STEPS);
      }),
  }),
};
