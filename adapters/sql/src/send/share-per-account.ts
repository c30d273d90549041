import { MAX_IN_FLIGHT_PER_ACCOUNT } from "@postern/core/send";
import { type RawBuilder, sql } from "kysely";
import type { ClaimRule } from "../database/leased-queue.ts";

/** The number of leased messages per account. */
const LEASED_COUNTS = sql`held as (
  select account, count(*) as n from ${sql.table("outgoing")} where lease_token is not null group by account
)`;
const FULL_ACCOUNTS = sql`(select account from held where n >= ${sql.lit(MAX_IN_FLIGHT_PER_ACCOUNT)})`;

/**
 * Claims no more messages of an account than its share (spec 6.3), which includes messages whose lease expired. Only
 * the earliest `limit` waiting messages are ranked. If the accounts of these messages have used their shares, a later
 * claim takes the next messages.
 */
export const sharePerAccount = (skipLocked: RawBuilder<unknown>): ClaimRule => ({
  ids: (now, limit) => sql`
    with ${LEASED_COUNTS},
    expired as (
      select id, due_at from ${sql.table("outgoing")} where lease_token is not null and due_at <= ${now}
      order by due_at, id limit ${limit} ${skipLocked}
    ),
    waiting as (
      select id, account, due_at from ${sql.table("outgoing")}
      where lease_token is null and due_at <= ${now} and account not in ${FULL_ACCOUNTS}
      order by due_at, id limit ${limit} ${skipLocked}
    ),
    ranked as (
      select id, due_at, row_number() over (partition by account order by due_at, id)
        + coalesce((select n from held where held.account = waiting.account), 0) as place
      from waiting
    )
    select id from (
      select id, due_at from expired
      union all
      select id, due_at from ranked where place <= ${sql.lit(MAX_IN_FLIGHT_PER_ACCOUNT)}
    ) findClaimable order by due_at, id limit ${limit}`,
  nextDue: sql`
    with ${LEASED_COUNTS}
    select
      (select min(due_at) from (
        select min(due_at) as due_at from ${sql.table("outgoing")} where lease_token is not null
        union all
        select min(due_at) from ${sql.table("outgoing")} where lease_token is null and due_at is not null and account not in ${FULL_ACCOUNTS}
      ) each_kind) as due_at,
      case when exists ${FULL_ACCOUNTS} then 1 else 0 end as withholds`,
});
