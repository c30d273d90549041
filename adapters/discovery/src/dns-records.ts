import type { MxRecord, SrvRecord } from "node:dns";
import type { NamedServer } from "@postern/core/accounts";

/**
 * Maximum number of records used from an answer. An answer has up to 64 KiB and may name many servers, and each server
 * would be contacted.
 */
const MAX_RECORDS = 10;

/** Host names in DNS have a final dot in some answers, and any case. */
const hostOf = (name: string): string => name.replace(/\.$/, "").toLowerCase();

/**
 * Returns the servers that SRV records name for one service, by priority and then weight. The target `.` says that the
 * service does not exist (RFC 6186, 3.4).
 */
export const serversOfSrv = (records: ReadonlyArray<SrvRecord>, tls: NamedServer["tls"]): ReadonlyArray<NamedServer> =>
  records
    .toSorted((one, other) => one.priority - other.priority || other.weight - one.weight)
    .slice(0, MAX_RECORDS)
    .map(({ name, port }) => ({ host: hostOf(name), port, tls }))
    .filter(({ host }) => host !== "");

/** Returns the hosts of MX records, the preferred ones first; none for a null MX (RFC 7505). */
export const hostsOfMx = (records: ReadonlyArray<MxRecord>): ReadonlyArray<string> =>
  records
    .toSorted((one, other) => one.priority - other.priority)
    .slice(0, MAX_RECORDS)
    .map(({ exchange }) => hostOf(exchange))
    .filter((host) => host !== "");
