import { DatabaseError } from "pg";
import type { Failure } from "../database/Engine.ts";

/** SQLSTATE classes: connection, resources, operator intervention, system, authorization, corruption. */
const UNAVAILABLE_CLASSES = new Set(["08", "53", "57", "58", "28", "F0", "XX"]);

const UNAVAILABLE = new Set([
  "25006", // read_only_sql_transaction: a standby that was not promoted
  "25P03", // idle_in_transaction_session_timeout
  "25P04", // transaction_timeout
  "3D000", // invalid_catalog_name: the database was dropped
  "42501", // insufficient_privilege: the right to connect or to write was revoked
  "55000", // object_not_in_prerequisite_state: the database accepts no connections
  "55006", // object_in_use
  "55P03", // lock_not_available
]);

const CONFLICT = new Set([
  "40001", // serialization_failure
  "40P01", // deadlock_detected
]);

/** Returns whether the server refuses the user, password or database; a retry does not help. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.code?.startsWith("28") === true || error.code === "3D000");

export const failureOf = (error: unknown): Failure => {
  if (error instanceof DatabaseError) {
    const state = error.code ?? "";
    if (CONFLICT.has(state)) return "conflict";
    return UNAVAILABLE.has(state) || UNAVAILABLE_CLASSES.has(state.slice(0, 2)) ? "unavailable" : "defect";
  }
  if (!(error instanceof Error)) return "defect";
  return isFromNetwork(error) || NO_CONNECTION.test(error.message) ? "unavailable" : "defect";
};

/**
 * Returns whether an error comes from a socket or DNS. Such an error has a code such as ECONNREFUSED, even for several
 * addresses.
 */
const isFromNetwork = (error: Error): boolean => {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined) return false;
  if (FROM_TLS.test(code)) return true;
  return (syscall !== undefined || /^E[A-Z_]+$/.test(code)) && !code.startsWith("ERR_");
};

/** Error codes of a refused certificate (X509_V_ERR of OpenSSL) and of a failed handshake. */
const FROM_TLS =
  /^(ERR_(SSL|TLS|OSSL)|CERT|CRL|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|INVALID_(CA|PURPOSE)|HOSTNAME|PATH_LENGTH)_/;

/** Messages of pg, pg-pool and kysely for connections that are lost, closed or not available in time. */
const NO_CONNECTION = new RegExp(
  [
    "^Connection terminated",
    "^Connection ended unexpectedly",
    "^timeout expired$",
    "^timeout exceeded when trying to connect$",
    "^Query read timeout$",
    "is not queryable$",
    "^Client has already been",
    "^Cannot use a pool after calling end on the pool$",
    "^driver has already been destroyed$",
    "^Postgres connection has been discarded$",
    "^The server does not support SSL connections$",
    "^There was an error establishing an SSL connection$",
  ].join("|"),
);
