import { HostLimited } from "@postern/core/accounts";
import { MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import { afterAll, expect, it } from "vitest";
import { handlerOver } from "./world.ts";

const limited = () =>
  Effect.fail(new MailServerError({ reason: "limited", operation: "connect", detail: "too many new connections" }));
const world = handlerOver({ create: () => Effect.fail(new HostLimited()), inbox: limited });
afterAll(world.dispose);

it.each([
  ["adds an account", "POST", "/api/accounts", { email: "a@b.c", password: "x" }, "admin"],
  ["reads a mailbox", "GET", "/api/inbox", undefined, "good"],
] as const)(
  "answers 429 with Retry-After if a request that %s would wait too long for its mail host [S10.3-42]",
  async (_, method, path, json, token) => {
    const { status, headers, json: body } = await world.call(method, path, { token, json });
    expect([status, body().code, headers.get("retry-after")]).toEqual([429, "too_many_requests", "10"]);
  },
);
