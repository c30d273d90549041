import type { MailServer } from "@postern/core/mail";

/** Servers that are remembered; the longest known is dropped first. */
const MAX_KNOWN = 1_000;

/** The servers that announce PIPELINING and do not answer what is sent along with the first command. */
export interface StalledPipelines {
  readonly has: (server: MailServer) => boolean;
  /** Notes a time-out inside the envelope. One that happens without PIPELINING too has another cause. */
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
