import { isSameServer, type MailServer } from "@postern/core/mail";
import type { AccountId } from "@postern/core/shared";

/** Maximum number of accounts whose server's limit is remembered; the least recently used is dropped first. */
const MAX_KNOWN = 10_000;

/** The largest message in bytes that each account's server last announced (RFC 1870). A limit is valid only for that server and account. */
export interface KnownSizes {
  readonly note: (account: AccountId, server: MailServer, bytes: number | undefined) => void;
  /** Returns the limit, if this server announced one to the account. */
  readonly of: (account: AccountId, server: MailServer) => number | undefined;
}

/** Returns an empty store of limits. */
export const knownSizes = (): KnownSizes => {
  const known = new Map<AccountId, { readonly server: MailServer; readonly bytes: number }>();
  return {
    note: (account, server, bytes) => {
      known.delete(account);
      if (bytes === undefined) return;
      const [oldest] = known.size >= MAX_KNOWN ? known.keys() : [];
      if (oldest !== undefined) known.delete(oldest);
      known.set(account, { server, bytes });
    },
    of: (account, server) => {
      const found = known.get(account);
      return found !== undefined && isSameServer(found.server, server) ? found.bytes : undefined;
    },
  };
};
