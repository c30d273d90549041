/** The grant of the examples. */
export const GRANT = {
  id: "h3c1Y0bTnQ8vXwJr",
  version: "n4bQgYhMfWWaL-qg",
  name: "Claude",
  client: { id: "https://assistant.example/client.json", name: "Claude", host: "assistant.example" },
  scopes: ["mail:read", "mail:draft"],
  sendPolicy: { to: [], approval: "always" },
  createdAt: "2026-03-02T08:00:00.000Z",
  lastUsedAt: "2026-03-02T09:30:00.000Z",
  expiresAt: "2026-04-01T09:30:00.000Z",
} as const;

/** The OAuth client of the examples. */
export const OAUTH_CLIENT = {
  id: "client_Zk3q8VbnT0eLr2Wd",
  name: "Desk assistant",
  redirectUris: ["https://desk.example.com/callback", "http://127.0.0.1/callback"],
  source: "operator",
  createdAt: "2026-03-02T08:00:00.000Z",
} as const;
