import type { SessionClient } from "@postern/core/auth";
import { Effect, Option } from "effect";
import { HttpServerRequest } from "effect/http";
import { type Cidr, clientNetwork } from "./client-network.ts";

const USER_AGENT_CHARACTERS = 256;

/** Who sends this request, as the owner of a session sees it later and the throttle counts it. */
export const sessionClient = (trustedProxies: ReadonlyArray<Cidr>) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers, remoteAddress }): SessionClient => ({
    network: clientNetwork(Option.getOrUndefined(remoteAddress), headers["x-forwarded-for"], trustedProxies),
    userAgent: (headers["user-agent"] ?? "").slice(0, USER_AGENT_CHARACTERS),
  }));
