/** The scopes that a service key may have. */
export const SCOPES = [
  "accounts:read",
  "accounts:write",
  "mail:read",
  "mail:write",
  "mail:organize",
  "mail:delete",
  "mail:draft",
  "mail:send",
  "approvals",
  "events",
] as const;

export type Scope = (typeof SCOPES)[number];

export const isScope = (text: string): text is Scope => SCOPES.some((scope) => scope === text);
