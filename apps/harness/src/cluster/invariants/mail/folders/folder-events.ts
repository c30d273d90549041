import type { FolderRecord } from "@postern/core/folders";
import type { AccountId } from "@postern/core/shared";
import type { Cluster } from "../../../Cluster.ts";
import { dataOf, eventsOf } from "../../../events-of.ts";
import type { Invariant } from "../../../Invariant.ts";

/**
 * A recorded change of a folder and its event are committed together, exactly once: `created`, `renamed`, `deleted`.
 * [S9.2-1]
 */
export const folderEvents: Invariant = {
  name: "folder-events",
  watch: (cluster) => {
    const records = new Map<AccountId, ReadonlyArray<FolderRecord>>();
    const changes = new Map<AccountId, Array<string>>();
    return {
      answered: ({ port, method, args, answer }) => {
        if (port !== "FolderRecords") return;
        const account = args[0] as AccountId;
        if (method === "erase") {
          records.delete(account);
          changes.delete(account);
        }
        if (method !== "replace" || answer === false) return;
        const [before, after] = [records.get(account) ?? [], args[1] as ReadonlyArray<FolderRecord>];
        records.set(account, after);
        // The first listing announces nothing.
        if (before.length === 0) return;
        const all = changes.get(account) ?? [];
        changes.set(account, all);
        const pathOf = (some: ReadonlyArray<FolderRecord>, id: string) => some.find((one) => one.id === id)?.path;
        for (const { id } of before) if (pathOf(after, id) === undefined) all.push(`folder.deleted ${id}`);
        for (const { id, path } of after) {
          const known = pathOf(before, id);
          if (known !== path) all.push(`folder.${known === undefined ? "created" : "renamed"} ${id}`);
        }
      },
      quiet: () => {
        for (const [account, recorded] of changes) {
          const told = folderEventsOf(cluster, account);
          const missing = difference(recorded, told);
          const surplus = difference(told, recorded);
          if (missing.length > 0) cluster.violate("folder-events", `${account} is not told: ${missing.join(", ")}`);
          if (surplus.length > 0)
            cluster.violate("folder-events", `${account} is told too often: ${surplus.join(", ")}`);
        }
      },
    };
  },
};

const CHANGES = new Set(["folder.created", "folder.renamed", "folder.deleted"]);

const folderEventsOf = (cluster: Cluster, account: AccountId): ReadonlyArray<string> =>
  eventsOf(cluster, account)
    .filter(({ type }) => CHANGES.has(type))
    .map((event) => `${event.type} ${String(dataOf(event, "id"))}`);

/** Returns the items of the first list that are not in the second; an item that the first list repeats is repeated. */
const difference = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): ReadonlyArray<string> => {
  const left = [...other];
  return one.filter((item) => {
    const at = left.indexOf(item);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
};
