import { UploadRecords } from "@postern/core/send";
import { UploadsInMemory } from "@postern/memory";
import { Context, Effect } from "effect";
import type { Invariant } from "../Invariant.ts";

/** Nothing is left over: no upload stays pinned, and once every node has stopped no timer or call of it is left. */
export const hygiene: Invariant = {
  name: "hygiene",
  watch: (cluster) => ({
    quiet: () => {
      const pinned = cluster.ask((ports) =>
        Effect.gen(function* () {
          const contents = yield* Context.get(ports, UploadsInMemory).ids;
          const free = new Set(yield* Context.get(ports, UploadRecords).retire(Infinity, Infinity, 1_000_000));
          return contents.filter((id) => !free.has(id));
        }),
      );
      for (const id of pinned) cluster.violate("hygiene", `the upload ${id} stays pinned`);
    },
    stopped: () => {
      for (const { name, waits, calls } of cluster.incarnations) {
        if (waits > 0) cluster.violate("hygiene", `${name} has ${waits} timers`);
        const open = [...calls].filter(([, count]) => count > 0);
        if (open.length > 0) cluster.violate("hygiene", `${name} waits for ${open.map(([port]) => port).join(", ")}`);
      }
    },
  }),
};
