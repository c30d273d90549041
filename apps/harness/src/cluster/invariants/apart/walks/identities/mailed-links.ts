import type { AccountId } from "@postern/core/shared";
import type { Cluster } from "../../../../Cluster.ts";

/** Returns the tokens of the links that an account mailed to an address, the oldest first. [S12.2-7] */
export const mailedLinks = ({ smtp }: Cluster, account: AccountId, address: string): ReadonlyArray<string> =>
  smtp.taken.flatMap(({ from, recipients, raw }) => {
    const token = /\/verify\/(\S+)/.exec(new TextDecoder().decode(raw))?.[1];
    return from === account && recipients.includes(address) && token !== undefined ? [token] : [];
  });
