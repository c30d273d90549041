/* The sign-in of the examples: Robin (demo@postern.test). */

export const CREDENTIALS = { email: "demo@postern.test", password: "demo" };

export const SESSION_ID = "Un-VKNodVydy1w2L0G79ag";

export const TOKEN_PAIR = {
  ok: true,
  token: "eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJkZW1vQHBvc3Rlcm4udGVzdCJ9.uXzzG3fG…",
  refreshToken: "eyJhbGciOiJFZERTQSIsInR5cCI6InJ0K2p3dCJ9.eyJzdWIiOiJkZW1vQHBvc3Rlcm4udGVzdCJ9.syEuamkZ…",
  expiresIn: 3600,
};

export const SESSION = {
  id: SESSION_ID,
  email: "demo@postern.test",
  kind: "bearer",
  current: true,
  createdAt: "2026-03-02T08:00:00.000Z",
  lastUsedAt: "2026-03-02T09:30:00.000Z",
  expiresAt: "2026-04-01T08:00:00.000Z",
  network: "203.0.113.7",
  userAgent: "curl/8.12.1",
};
