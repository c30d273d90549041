import type { SessionView } from "@postern/api";
import type { Session } from "@postern/core/auth";
import { instantOf } from "./instant-of.ts";

/** Returns a session as the API represents it (spec 3). */
export const sessionView = (session: Session, currentId: string): typeof SessionView.Type => ({
  id: session.id,
  email: session.account,
  kind: session.kind,
  current: session.id === currentId,
  createdAt: instantOf(session.createdAt),
  lastUsedAt: instantOf(session.lastUsedAt),
  expiresAt: instantOf(session.expiresAt),
  ...session.client,
});
