import { Option } from "effect";
import { entriesReaching, type KeyReach } from "../auth/index.ts";
import type { Account } from "./Account.ts";

/** Returns the entries of the reaches that hold a managed account; none for any other account. */
export const reachEntriesOf = (account: Option.Option<Account>): KeyReach =>
  Option.isSome(account) && account.value.managed
    ? entriesReaching({ address: account.value.id, tags: account.value.tags })
    : [];
