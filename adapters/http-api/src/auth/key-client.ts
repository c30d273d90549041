import type { KeyClient } from "@postern/core/auth";
import { Option } from "effect";
import type { HttpServerRequest } from "effect/http";
import { type Cidr, cidrOf, clientAddress, isWithin, networkOf } from "../wire/client-network.ts";

/** Returns the client of a request, as keys with networks and the count of wrong keys see it. */
export const keyClient = (
  { headers, remoteAddress }: HttpServerRequest.HttpServerRequest,
  trustedProxies: ReadonlyArray<Cidr>,
): KeyClient => {
  const address = clientAddress(Option.getOrUndefined(remoteAddress), headers["x-forwarded-for"], trustedProxies);
  return {
    network: networkOf(address),
    isWithin: (networks) => {
      const blocks = networks.map(cidrOf).filter((block) => block !== undefined);
      return address !== undefined && isWithin(address, blocks);
    },
  };
};
