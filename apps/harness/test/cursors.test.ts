import { readFileSync } from "node:fs";
import { it } from "@effect/vitest";
import { HARNESS_ADMIN_KEY, harness } from "@postern/harness";
import { Effect } from "effect";
import { expect } from "vitest";
import { call, signIn } from "./call.ts";
import { makeKey } from "./key-world.ts";

interface Operation {
  readonly parameters?: ReadonlyArray<{ readonly name: string }>;
}

const { paths } = JSON.parse(readFileSync(new URL("../../../packages/api/openapi.json", import.meta.url), "utf8")) as {
  readonly paths: Readonly<Record<string, { readonly get?: Operation }>>;
};

const WITH_CURSOR = Object.entries(paths).flatMap(([path, { get }]) =>
  get?.parameters?.some(({ name }) => name === "cursor") === true ? [path] : [],
);

it.live("every operation with a cursor refuses a text that is no cursor [S2.8-3]", () =>
  Effect.gen(function* () {
    expect(WITH_CURSOR.length).toBeGreaterThan(20);
    const world = yield* harness;
    const { token } = (yield* signIn(world)).body;
    const json = { url: "https://hook.test/1", events: ["email.sent"] };
    const { key } = yield* makeKey(world, { application: "shop" });
    const own = yield* call(world, "POST", "/api/settings/webhooks", { token, json });
    const shops = yield* call(world, "POST", "/api/settings/webhooks", { token: key, json });
    yield* call(world, "PATCH", "/api/account", { token, json: { follow: "all" } });
    yield* world.pass("5 minutes");
    const answers: Record<string, unknown> = {};
    for (const path of WITH_CURSOR) {
      const { id } = (path.includes("{name}") ? shops : own).body.data;
      const at = path.replace("{name}", "shop").replace("{id}", id);
      for (const cursor of ["nonsense", "someone@x.test", "ä"]) {
        const query = new URLSearchParams({ cursor, ...(path === "/api/search" ? { subject: "x" } : {}) });
        const ask = (key: string) => call(world, "GET", `${at}?${query.toString()}`, { token: key });
        const asUser = yield* ask(token);
        const { status, body } = [401, 403].includes(asUser.status) ? yield* ask(HARNESS_ADMIN_KEY) : asUser;
        const fields = body.errors?.map((fault: { readonly field: string }) => fault.field).join();
        if (status !== 400 || fields !== "cursor") answers[`${path} ${cursor}`] = [status, fields ?? body.code];
      }
    }
    expect(answers).toEqual({});
  }).pipe(Effect.scoped),
);
