import type { KeyReach } from "@postern/core/auth";
import type { AccountId } from "@postern/core/shared";
import type { EndpointOwner } from "@postern/core/webhooks";
import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { Tables } from "../tables/Tables.ts";

/** A condition that selects some endpoints. */
export type Condition = (row: ExpressionBuilder<Tables, "endpoint">) => Expression<SqlBool>;

/** Narrows to the endpoints of an account or application. */
export const ownedBy =
  (owner: EndpointOwner): Condition =>
  (row) =>
    owner._tag === "Account" ? row("account", "=", owner.account) : row("application", "=", owner.application);

/** Returns the name under which the endpoints of an owner are counted. */
export const nameOf = (owner: EndpointOwner): string =>
  owner._tag === "Account" ? owner.account : nameOfApplication(owner.application);

/** Returns the name under which the endpoints of an application are counted. */
export const nameOfApplication = (application: string): string => `application ${application}`;

/**
 * Selects the ids of the account's endpoints, and of the endpoints whose reach has one of the entries; an index finds
 * each.
 */
export const idsFor = (row: ExpressionBuilder<Tables, "endpoint">, account: AccountId, entries: KeyReach) =>
  row
    .selectFrom("endpoint as own")
    .select("own.id")
    .where("own.account", "=", account)
    .unionAll(row.selectFrom("endpoint_reach").select("endpoint_id as id").where("entry", "in", entries));
