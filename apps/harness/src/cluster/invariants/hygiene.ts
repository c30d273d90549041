import type { Invariant } from "../Invariant.ts";

/** Once every node has stopped, no timer, call or lease of a node is left. */
export const hygiene: Invariant = {
  name: "hygiene",
  watch: (cluster) => ({
    stopped: () => {
      for (const { name, waits, calls } of cluster.incarnations) {
        if (waits > 0) cluster.violate("hygiene", `${name} has ${waits} timers`);
        const open = [...calls].filter(([, count]) => count > 0);
        if (open.length > 0) cluster.violate("hygiene", `${name} waits for ${open.map(([port]) => port).join(", ")}`);
      }
    },
  }),
};
