import { Deferred, Effect } from "effect";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { handlerOver } from "./world.ts";

describe("requests above the share of an account or a key", () => {
  let open = Deferred.makeUnsafe<void>();
  beforeEach(() => void (open = Deferred.makeUnsafe()));
  const world = handlerOver({ folders: () => Effect.as(Deferred.await(open), []) });
  afterAll(world.dispose);
  const ask = (credential: { readonly token?: string; readonly headers?: Record<string, string> }) =>
    world.call("GET", "/api/folders", credential);

  it.each([
    ["by one token", () => ({ token: "good" })],
    ["by many credentials", (n: number) => ({ headers: { cookie: `a=${n}; session=sweet` } })],
  ])("are refused %s, while those of another account are not [S10.2-18] [S8.3-2]", (_, credential) =>
    refusedAbove(64, credential),
  );

  it("are refused even with many keys, while requests of another account are accepted", () =>
    refusedAbove(64, (n) => ({ token: `psk_${n}`, headers: { "postern-account": "one@x.test" } })));

  it("are refused with one key above 256 over all accounts [S10.2-18]", () =>
    refusedAbove(256, (n) => ({ token: "psk_one", headers: { "postern-account": `${n}@x.test` } })));

  const refusedAbove = async (share: number, credential: (n: number) => Parameters<typeof ask>[0]) => {
    const waiting = Array.from({ length: share }, (_, n) => ask(credential(n)));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const refused = await ask(credential(share));
    expect([refused.status, refused.json().code, refused.headers.get("retry-after")]).toEqual([
      429,
      "too_many_requests",
      "1",
    ]);
    expect((await world.call("GET", "/api/folders", { token: "other" })).status).toBe(401);
    Effect.runSync(Deferred.succeed(open, undefined));
    expect((await Promise.all(waiting)).every(({ status }) => status === 200)).toBe(true);
    expect((await ask(credential(share))).status).toBe(200);
  };
});
