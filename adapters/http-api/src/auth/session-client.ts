import type { SessionClient } from "@postern/core/auth";
import { Effect, Option } from "effect";
import { HttpServerRequest } from "effect/http";
import { type Cidr, clientAddress, networkOf } from "../wire/client-network.ts";

const USER_AGENT_CHARACTERS = 256;

/** The client of this request, as shown in the list of sessions and counted by the throttle. */
export const sessionClient = (trustedProxies: ReadonlyArray<Cidr>) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers, remoteAddress }): SessionClient => ({
    network: networkOf(clientAddress(Option.getOrUndefined(remoteAddress), headers["x-forwarded-for"], trustedProxies)),
    userAgent: (headers["user-agent"] ?? "").slice(0, USER_AGENT_CHARACTERS),
  }));
