/* The key of the examples: the key of a support desk, for the accounts of one domain. */

export const KEY_ID = "Zk3q8VbnT0eLr2Wd";

export const KEY = {
  id: KEY_ID,
  version: "n4bQgYhMfWWaL-qg",
  name: "Support desk, production",
  application: "support-desk",
  scopes: ["accounts:read", "mail:read", "mail:send", "events"],
  accounts: ["*@example.com"],
  networks: ["192.0.2.0/24"],
  expiresAt: "2027-03-01T00:00:00.000Z",
  createdAt: "2026-03-02T08:00:00.000Z",
  lastUsedAt: "2026-03-02T09:30:00.000Z",
  sendPerDay: 5000,
  sendPolicy: null,
  notify: "ops@example.com",
};

export const NEW_KEY = {
  ...KEY,
  lastUsedAt: null,
  key: `psk_${KEY_ID}_h3c1Y0bTnQ8vXwJr5kZp2LmDs9EaGf4UiOq7yNt6BxM`,
};

export const APPLICATION = {
  id: KEY.application,
  version: "Zk3q8VbnT0eLr2Wd",
  name: KEY.application,
  keys: 2,
  suspendedAt: null,
  displayName: "Harbour Support",
  purpose: "Shows your team the questions of your customers.",
  colour: "#0c5c4f",
  logo: null,
  notify: "ops@example.com",
};
