import type { Session } from "@postern/core/auth";
import { SESSION, type SessionRow } from "../tables/auth.ts";

const NO_REFRESH = {
  refresh_hash: null,
  refresh_token_id: null,
  refresh_key_id: null,
  refresh_issued_at: null,
  previous_hash: null,
  rotated_at: null,
};

/** Returns the row of a session. */
export const rowOfSession = (session: Session): SessionRow => {
  const common = {
    ...SESSION.rowOf(session),
    network: session.client.network,
    user_agent: session.client.userAgent,
  };
  if (session.kind === "cookie") return { ...common, ...NO_REFRESH, cookie_hash: session.cookieHash };
  if (session.kind === "host") return { ...common, ...NO_REFRESH, cookie_hash: null };
  const { current, previous } = session.refresh;
  return {
    ...common,
    cookie_hash: null,
    refresh_hash: current.hash,
    refresh_token_id: current.tokenId,
    refresh_key_id: current.keyId,
    refresh_issued_at: current.issuedAt,
    previous_hash: previous?.hash ?? null,
    rotated_at: previous?.rotatedAt ?? null,
  };
};

/** Returns the session of a row. */
export const sessionOfRow = (row: SessionRow): Session => {
  const common = { ...SESSION.recordOf(row), client: { network: row.network, userAgent: row.user_agent } };
  if (row.cookie_hash !== null) return { ...common, kind: "cookie", cookieHash: row.cookie_hash };
  if (row.refresh_hash === null) return { ...common, kind: "host" };
  return {
    ...common,
    kind: "bearer",
    refresh: {
      current: {
        hash: row.refresh_hash,
        tokenId: row.refresh_token_id!,
        keyId: row.refresh_key_id!,
        issuedAt: row.refresh_issued_at!,
        expiresAt: row.expires_at,
      },
      previous: row.previous_hash === null ? null : { hash: row.previous_hash, rotatedAt: row.rotated_at! },
    },
  };
};
