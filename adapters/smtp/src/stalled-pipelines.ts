import type { MailServer } from "@postern/core/mail";

/** Maximum number of remembered servers; the oldest is dropped first. */
const MAX_KNOWN = 1_000;

/** The servers that announce PIPELINING but answer only the first of several commands in one write. */
export interface StalledPipelines {
  readonly has: (server: MailServer) => boolean;
  /** Notes a time-out inside the envelope. A time-out that also happens without PIPELINING has another cause. */
  readonly note: (server: MailServer, wasPipelined: boolean) => void;
}

/** Returns an empty set of servers. */
export const stalledPipelines = (): StalledPipelines => {
  const known = new Set<string>();
  return {
    has: (server) => known.has(keyOf(server)),
    note: (server, wasPipelined) => {
      known.delete(keyOf(server));
      if (!wasPipelined) return;
      const [oldest] = known.size >= MAX_KNOWN ? known : [];
      if (oldest !== undefined) known.delete(oldest);
      known.add(keyOf(server));
    },
  };
};

const keyOf = ({ host, port }: MailServer): string => `${host} ${port}`;
