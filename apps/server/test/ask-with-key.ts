import { expect } from "vitest";

export interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly body: any;
}

/** Sends requests to a service with a key, about an account if one is named. */
export type Ask = (method: string, path: string, json?: unknown, account?: string) => Promise<Asked>;

/** Returns requests with a key; each goes to the address that `base` returns. */
export const askWithKey =
  (base: () => string, key: string): Ask =>
  async (method, path, json, account) => {
    const answer = await fetch(`${base()}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(account === undefined ? {} : { "postern-account": account }),
        ...(json === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  };

const SCOPES = ["accounts:read", "accounts:write", "mail:read", "mail:write", "mail:draft", "mail:send", "events"];

/** Makes a key of an application with every scope. */
export const makeKey = async (base: string, adminKey: string, application: string): Promise<string> => {
  const ask = askWithKey(() => base, adminKey);
  const { status, body } = await ask("POST", "/api/keys", { name: application, application, scopes: SCOPES });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.key;
};
