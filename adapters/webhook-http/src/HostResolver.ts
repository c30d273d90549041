import { Resolver } from "node:dns/promises";
import { Effect } from "effect";
import type { WebhookHttpSettings } from "./WebhookHttpOptions.ts";

/** The reason why a name has no address. */
export type NameFailure = "nxdomain" | "servfail" | "dns_timeout" | "dns_failed";

/** Returns every address of a name. */
export type HostResolver = (host: string) => Effect.Effect<ReadonlyArray<string>, NameFailure>;

/**
 * Queries name servers directly. The system's `getaddrinfo` would block one of Node's few threads for each server that
 * hangs, and does not distinguish a missing name from a failing server.
 */
export const dnsResolver = ({ nameServers, connectTimeout }: WebhookHttpSettings): HostResolver => {
  const resolver = new Resolver({ timeout: Math.ceil(connectTimeout / 3), tries: 2 });
  if (nameServers.length > 0) resolver.setServers(nameServers);

  return (host) =>
    Effect.promise(() => Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])).pipe(
      Effect.flatMap((answers) => {
        const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
        if (addresses.length > 0) return Effect.succeed(addresses);
        const failures = answers.flatMap((answer) => (answer.status === "rejected" ? [failureOf(answer.reason)] : []));
        return Effect.fail<NameFailure>(failures.find((failure) => failure !== "nxdomain") ?? "nxdomain");
      }),
      Effect.timeoutOrElse({ duration: connectTimeout, orElse: () => Effect.fail<NameFailure>("dns_timeout") }),
    );
};

/** A name without addresses (ENODATA) is treated as missing. */
const FAILURES: Readonly<Record<string, NameFailure>> = {
  ENOTFOUND: "nxdomain",
  ENODATA: "nxdomain",
  EBADNAME: "nxdomain",
  ESERVFAIL: "servfail",
  EREFUSED: "servfail",
  ETIMEOUT: "dns_timeout",
};

const failureOf = ({ code }: NodeJS.ErrnoException): NameFailure => FAILURES[code ?? ""] ?? "dns_failed";
