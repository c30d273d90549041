import { Resolver } from "node:dns/promises";
import { HostUnresolved } from "@postern/core/shared";
import { Effect } from "effect";

/**
 * Maximum number of addresses used for a name, for each family. An answer has up to 64 KiB, and each address would be
 * tried.
 */
const MAX_ADDRESSES = 16;

/** Returns the addresses of a name. */
export type HostResolver = (host: string) => Effect.Effect<ReadonlyArray<string>, HostUnresolved>;

/**
 * Queries name servers directly; `timeout` in milliseconds. The system's `getaddrinfo` would block one of Node's few
 * threads for each server that hangs, and does not distinguish a missing name from a failing server.
 */
export const dnsResolver = (nameServers: ReadonlyArray<string>, timeout: number): HostResolver => {
  const resolver = new Resolver({ timeout: Math.ceil(timeout / 3), tries: 2 });
  if (nameServers.length > 0) resolver.setServers(nameServers);

  return (host) =>
    Effect.promise(async () => Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])).pipe(
      Effect.flatMap((answers) => {
        const addresses = answers.flatMap((answer) =>
          answer.status === "fulfilled" ? answer.value.slice(0, MAX_ADDRESSES) : [],
        );
        if (addresses.length > 0) return Effect.succeed(addresses);
        const reasons = answers.flatMap((answer) => (answer.status === "rejected" ? [reasonOf(answer.reason)] : []));
        return failUnresolved(reasons.find((reason) => reason !== "nxdomain") ?? "nxdomain");
      }),
      Effect.timeoutOrElse({ duration: timeout, orElse: () => failUnresolved("dns_timeout") }),
    );
};

const failUnresolved = (reason: HostUnresolved["reason"]) => Effect.fail(new HostUnresolved({ reason }));

/** A name without addresses (ENODATA) is treated as missing. */
const REASONS: Readonly<Record<string, HostUnresolved["reason"]>> = {
  ENOTFOUND: "nxdomain",
  ENODATA: "nxdomain",
  EBADNAME: "nxdomain",
  ESERVFAIL: "servfail",
  EREFUSED: "servfail",
  ETIMEOUT: "dns_timeout",
};

const reasonOf = ({ code }: NodeJS.ErrnoException): HostUnresolved["reason"] => REASONS[code ?? ""] ?? "dns_failed";
