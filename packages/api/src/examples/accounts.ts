/** The account of the examples in the reference. */
export const ACCOUNT_ID = "acc_u5pMRtGE7DZQ9nYqGV2r4Qb2Zc9mJr1Xw7QyT0LdKf3ASq0mT5dXyR2vN7wZc3Lh";

export const ACCOUNT = {
  id: ACCOUNT_ID,
  version: "n4bQgYhMfWWaL-qg",
  email: "ann@example.com",
  name: "Ann",
  managed: true,
  state: "active",
  reason: null,
  auth: { kind: "password", provider: null },
  imap: { host: "imap.example.com", port: 993, security: "tls", username: null, certificateSha256: null },
  smtp: { host: "smtp.example.com", port: 587, security: "starttls", username: null, certificateSha256: null },
  capabilities: ["IMAP4REV1", "IDLE", "CONDSTORE"],
  provider: null,
  follow: "inbox",
  tags: ["support"],
  watched: true,
  createdAt: "2026-03-02T09:30:00.000Z",
  lastSeenAt: "2026-03-02T09:30:00.000Z",
} as const;

export const FOLLOWED_ACCOUNT = {
  ...ACCOUNT,
  follow: "all",
  following: { folders: 12, done: 9, messages: 18_240 },
} as const;

export const TRACE =
  "# Protocol log of ann@example.com, recorded until 2026-03-02T09:45:00.000Z\n" +
  "2026-03-02T09:30:00.120Z Xq3b imap#1 C: 2 AUTHENTICATE PLAIN <removed>\n" +
  "2026-03-02T09:30:00.310Z Xq3b imap#1 S: 2 NO [AUTHENTICATIONFAILED] Authentication failed.\n";

export const CHECKS = {
  imap: { ok: true, cause: null, message: "The server accepted the sign-in.", host: "imap.example.com", port: 993 },
  smtp: { ok: true, cause: null, message: "The server accepted the sign-in.", host: "smtp.example.com", port: 587 },
} as const;

export const FAILED_CHECKS = {
  imap: {
    ok: false,
    cause: "auth_refused",
    message:
      "The server refused the user name or the password. Check both, and whether the provider wants an app password.",
    host: "imap.example.com",
    port: 993,
  },
  smtp: CHECKS.smtp,
} as const;

export const EXPORT = `${JSON.stringify({ type: "account", data: ACCOUNT })}\n`;
