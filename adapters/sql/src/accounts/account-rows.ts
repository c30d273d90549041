import {
  type Account,
  type AccountFilter,
  AccountFault,
  AuthKind,
  domainOf,
  storedServers,
} from "@postern/core/accounts";
import { partsOfReach } from "@postern/core/auth";
import { AccountId } from "@postern/core/shared";
import { Option, Schema } from "effect";
import { type ExpressionBuilder, type Kysely, type SelectQueryBuilder, sql } from "kysely";
import type { Tables } from "../tables/Tables.ts";
import type { AccountRow } from "../tables/accounts.ts";

const texts = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(Schema.String)));
const causeOf = Schema.decodeUnknownSync(Schema.NullOr(AccountFault));
const kindOf = Schema.decodeUnknownSync(AuthKind);

/** An account's row with the time of the refusal of its credential. */
export interface FoundRow extends AccountRow {
  readonly refused_at: number | null;
}

/** Returns the row of an account. */
export const rowOfAccount = (account: Account): AccountRow => ({
  account: account.id,
  domain: domainOf(account.id),
  name: account.name,
  folded_name: account.name?.toLowerCase() ?? null,
  managed: account.managed ? 1 : 0,
  paused_at: account.pausedAt,
  unreachable_cause: account.unreachable?.cause ?? null,
  unreachable_since: account.unreachable?.since ?? null,
  refused_cause: account.refusedCause,
  auth_kind: account.authKind,
  provider: account.provider,
  servers: account.servers === null ? null : storedServers.write(account.servers),
  capabilities: JSON.stringify(account.capabilities),
  tags: JSON.stringify(account.tags),
  id_generation: account.generation ?? null,
  follow: account.follow,
  created_at: account.createdAt,
  last_seen_at: account.lastSeenAt,
});

/**
 * Returns the account of a row. If the servers in the row cannot be read, the account has no servers, and its mailbox
 * cannot be opened.
 */
export const accountOfRow = (row: FoundRow): Account => ({
  id: AccountId(row.account),
  name: row.name,
  managed: row.managed === 1,
  pausedAt: row.paused_at,
  unreachable:
    row.unreachable_since === null
      ? null
      : { cause: causeOf(row.unreachable_cause) ?? "protocol", since: row.unreachable_since },
  refusedAt: row.refused_at,
  refusedCause: causeOf(row.refused_cause),
  authKind: kindOf(row.auth_kind),
  provider: row.provider,
  servers: row.servers === null ? null : Option.getOrNull(storedServers.read(row.servers)),
  capabilities: texts(row.capabilities),
  tags: texts(row.tags),
  ...(row.id_generation === null ? {} : { generation: row.id_generation }),
  follow: row.follow === "inbox" || row.follow === "all" ? row.follow : null,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
});

type Accounts = SelectQueryBuilder<Tables, "account", FoundRow>;

const credentialOf = (row: ExpressionBuilder<Tables, "account">) =>
  row.selectFrom("credential").whereRef("credential.account", "=", "account.account");

/** Selects the accounts that exist: managed accounts, and accounts with a stored credential. */
export const selectExisting = (db: Kysely<Tables>): Accounts =>
  db
    .selectFrom("account")
    .selectAll()
    .select((row) => credentialOf(row).select("rejected_at").as("refused_at"))
    .where((row) => row.or([row("managed", "=", 1), row.exists(credentialOf(row).select("credential.account"))]));

/** Selects the rows of accounts that do not exist. */
export const isUnused = (row: ExpressionBuilder<Tables, "account">) =>
  row.and([row("managed", "=", 0), row.not(row.exists(credentialOf(row).select("credential.account")))]);

/** Narrows a selection of accounts to the accounts that match a filter. */
export const narrowTo = (selected: Accounts, { reach, state, tag, text }: AccountFilter): Accounts => {
  let some = selected;
  const tagged = (row: ExpressionBuilder<Tables, "account">, tags: ReadonlyArray<string>) =>
    row("account.account", "in", row.selectFrom("account_tag").select("account_tag.account").where("tag", "in", tags));
  if (tag !== null) some = some.where((row) => tagged(row, [tag]));
  if (text !== null) {
    const pattern = `%${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    some = some.where(
      sql<boolean>`(lower(account.account) like ${pattern} escape '\\' or folded_name like ${pattern} escape '\\')`,
    );
  }
  if (reach !== null) {
    const { accounts, domains, tags } = partsOfReach(reach);
    some = some.where((row) =>
      row.or([
        ...(accounts.length > 0 ? [row("account.account", "in", accounts)] : []),
        ...(domains.length > 0 ? [row("account.domain", "in", domains)] : []),
        ...(tags.length > 0 ? [tagged(row, tags)] : []),
      ]),
    );
  }
  if (state === null) return some;
  if (state === "paused") return some.where("paused_at", "is not", null);
  some = some.where("paused_at", "is", null);
  const refused = (row: ExpressionBuilder<Tables, "account">) =>
    row.exists(credentialOf(row).select("credential.account").where("rejected_at", "is not", null));
  if (state === "needs_reauth") return some.where(refused);
  return some
    .where((row) => row.not(refused(row)))
    .where("unreachable_since", state === "active" ? "is" : "is not", null);
};

/** An expression for the state of an account's row, equal to `stateOf`. */
export const stateOfRow = sql<"paused" | "needs_reauth" | "active" | "unreachable">`case
  when paused_at is not null then 'paused'
  when exists (select 1 from ${sql.table("credential")} c where c.account = account.account and c.rejected_at is not null) then 'needs_reauth'
  when unreachable_since is not null then 'unreachable' else 'active' end`;
