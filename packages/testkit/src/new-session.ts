import type { BearerSession, CookieSession, HostSession } from "@postern/core/auth";
import { Effect } from "effect";
import { freshAccount } from "./fresh-account.ts";

const random = () => `aZ_-${globalThis.crypto.randomUUID()}`;

const common = Effect.map(freshAccount, (account) => ({
  id: random(),
  account,
  createdAt: 1_900_000_000_123,
  lastUsedAt: 1_900_000_000_124,
  expiresAt: 1_902_592_000_456,
  absoluteExpiresAt: 1_907_776_000_789,
  client: { network: "2001:db8::/64", userAgent: "Postern/1 (test) ünïcode" },
}));

/** Returns a session of an API client, of an account that no other test uses. */
export const newBearerSession: Effect.Effect<BearerSession> = Effect.map(common, (session) => ({
  ...session,
  kind: "bearer",
  refresh: {
    current: {
      hash: random(),
      tokenId: random(),
      keyId: "k1",
      issuedAt: session.createdAt,
      expiresAt: session.expiresAt,
    },
    previous: null,
  },
}));

/** Returns a session of a browser, of an account that no other test uses. */
export const newCookieSession: Effect.Effect<CookieSession> = Effect.map(common, (session) => ({
  ...session,
  kind: "cookie",
  cookieHash: random(),
}));

/** Returns a session of a program that embeds the service, of an account that no other test uses. */
export const newHostSession: Effect.Effect<HostSession> = Effect.map(common, (session) => ({
  ...session,
  kind: "host",
}));
