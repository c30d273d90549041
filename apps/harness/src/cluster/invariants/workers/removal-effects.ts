import type { FolderRemoval } from "@postern/core/folders";
import type { AccountId, Lease } from "@postern/core/shared";
import { Option } from "effect";
import type { Incarnation } from "../../timeline/Incarnation.ts";
import type { Invariant } from "../../Invariant.ts";

/** The calls of a removal that change mailboxes, and the mailbox that each of them changes. */
const CHANGED: Readonly<Record<string, (argument: unknown) => string>> = {
  rename: (path) => path as string,
  remove: (path) => path as string,
  moveBatch: (batch) => (batch as { readonly mailbox: string }).mailbox,
};

/**
 * A node changes a folder that it removes, by a rename, a move or a deletion, only while the last lease that it was
 * given on the removal has not ended by its own clock. [S9.3-5]
 */
export const removalEffects: Invariant = {
  name: "removal-effects",
  watch: (cluster) => {
    /** The removals that each node was given, with the end of its lease on each. */
    const held = new Map<Incarnation, Map<string, { readonly removal: FolderRemoval; readonly until: number }>>();
    const give = (node: Incarnation, removal: FolderRemoval, { until }: Lease) => {
      const own = held.get(node) ?? new Map();
      held.set(node, own.set(removal.id, { removal, until }));
    };
    return {
      called: ({ node, port, method, args }) => {
        const path = port === "MailboxChanges" ? CHANGED[method]?.(args[1]) : undefined;
        if (path === undefined) return;
        const all = [...(held.get(node)?.values() ?? [])];
        const on = all.filter(({ removal }) => removal.account === (args[0] as AccountId) && isIn(path, removal));
        if (on.length === 0 || on.some(({ until }) => node.millis() < until)) return;
        cluster.violate(
          "removal-effects",
          `${node.name} ${method} changes ${path} after its lease on the removal ended`,
        );
      },
      answered: ({ node, port, method, args, answer }) => {
        if (port !== "FolderRemovals") return;
        if (method === "claim")
          for (const removal of answer as ReadonlyArray<FolderRemoval>) give(node, removal, args[1] as Lease);
        if (method === "claimOne") {
          const removal = Option.getOrUndefined(answer as Option.Option<FolderRemoval>);
          if (removal !== undefined) give(node, removal, args[2] as Lease);
        }
        if (method === "renew")
          for (const id of answer as ReadonlySet<string>) {
            const known = held.get(node)?.get(id);
            if (known !== undefined) give(node, known.removal, args[1] as Lease);
          }
        if (method === "release") for (const id of args[0] as ReadonlyArray<string>) held.get(node)?.delete(id);
      },
    };
  },
};

const isIn = (path: string, removal: FolderRemoval): boolean =>
  [removal.path, removal.hiddenPath].some((root) => path === root || path.startsWith(`${root}${removal.delimiter}`));
