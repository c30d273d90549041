import { Effect } from "effect";
import { expect, it, onTestFinished } from "vitest";
import { SendInProgress } from "@postern/core/send";
import { handlerOver, type Stubs } from "./world.ts";

const KEY = "psk_canary-canary-c_anary";
const ADMIN = "admin";

const world = (stubs?: Stubs) => {
  const made = handlerOver(stubs);
  onTestFinished(made.dispose);
  /** The lines about writes, as their fields. */
  const audited = () =>
    made.logs.flatMap((line) => {
      const found = /^\["write by a key",(.*?\})\]/.exec(line);
      return found === null ? [] : [JSON.parse(found[1]!) as unknown];
    });
  return { ...made, audited };
};

const MAIL = { to: "x@y.test", subject: "x", text: "x" };
const AS_KEY = { token: KEY, headers: { "postern-account": "a@b.c" } };

it("logs each write of a key with the key, the account and the operation [S10.2-20]", async () => {
  const receipt = { messageId: "<m>", providerMessageId: null, id: "out_1", status: "sent" as const, rejected: [] };
  const { audited, call } = world({ send: () => Effect.succeed(receipt) });
  expect((await call("POST", "/api/send", { ...AS_KEY, json: MAIL })).status).toBe(200);
  expect(audited()).toEqual([{ key: "k1", account: "acc_1", operation: "send.send" }]);
});

it("logs a write that failed", async () => {
  const { audited, call } = world({ send: () => Effect.fail(new SendInProgress()) });
  expect((await call("POST", "/api/send", { ...AS_KEY, json: MAIL })).status).toBe(409);
  expect((await call("DELETE", "/api/keys/some", { token: ADMIN })).status).toBe(500);
  expect(audited()).toEqual([
    { key: "k1", account: "acc_1", operation: "send.send" },
    { key: "admin", operation: "keys.remove" },
  ]);
});

it("logs the account in the path of a write", async () => {
  const { audited, call } = world();
  await call("DELETE", "/api/accounts/named@x.test", { token: ADMIN });
  await call("POST", "/api/accounts/named@x.test/verify", { token: KEY });
  expect(audited()).toEqual([
    { key: "admin", account: "acc_1", operation: "accounts.remove" },
    { key: "k1", account: "acc_1", operation: "accounts.verify" },
  ]);
});

it("logs no read, no refused request and no write of a session as a write of a key", async () => {
  const { audited, call } = world();
  await call("GET", "/api/folders", AS_KEY);
  await call("POST", "/api/send", { token: KEY, json: MAIL });
  await call("POST", "/api/keys", { token: KEY, json: {} });
  await call("POST", "/api/auth/logout", { token: "good" });
  expect(audited()).toEqual([]);
});

it("names the key in the line of a request, and never its secret", async () => {
  const { call, logs } = world();
  await call("GET", "/api/folders", AS_KEY);
  await call("GET", `/api/folders?access_token=${KEY}`, {});
  await call("POST", "/api/send", { ...AS_KEY, json: MAIL });
  expect(logs.some((line) => line.includes('"request"') && line.includes('"key":"k1"'))).toBe(true);
  expect(logs.join("\n")).not.toContain("canary");
});
