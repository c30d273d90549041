import { it } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { harness } from "@postern/harness";
import { Effect } from "effect";
import { describe, expect } from "vitest";
import { call, signIn } from "./call.ts";

const FOLDERS = "/api/settings/folders";

const start = Effect.gen(function* () {
  const world = yield* harness;
  const { token } = (yield* signIn(world)).body;
  const ask = (method: string, path: string, json?: unknown) =>
    call(world, method, path, json === undefined ? { token } : { token, json });
  const create = (name: string, parentId: string | null = null) => ask("POST", FOLDERS, { name, parentId });
  return { world, ask, create, account: world.mail.account(AccountId("demo@postern.test")) };
});

describe("the user's own folders", () => {
  it.live(
    "are created, listed, renamed and moved in the shapes of the specification [S4.4-1] [S4.4-2] [S4.4-3] [S2.4-3]",
    () =>
      Effect.gen(function* () {
        const { world, ask, create, account } = yield* start;
        const listed = Effect.map(
          ask("GET", FOLDERS),
          ({ body }) => body.data as ReadonlyArray<Record<string, unknown>>,
        );
        const before = yield* listed;
        const top = yield* create("Contracts");
        const createdAt = new Date(world.now()).toISOString();
        expect([top.status, top.body.ok]).toEqual([200, true]);
        expect(top.body.data).toMatchObject({ id: expect.any(String), name: "Contracts", parentId: null, createdAt });
        const within = (yield* create("2026", top.body.data.id)).body.data;
        expect(within).toMatchObject({ name: "2026", parentId: top.body.data.id, createdAt });
        account.mailbox("Contracts/2026").append(new TextEncoder().encode("Subject: x\r\n\r\n.\r\n"), 0);
        const after = yield* listed;
        expect(after).toHaveLength(before.length + 2);
        expect(after.find(({ id }) => id === within.id)).toMatchObject({ name: "2026", messageCount: 1 });
        const { folders } = (yield* ask("GET", "/api/folders")).body;
        const special = folders.filter(({ role }: { readonly role: string | null }) => role !== null);
        expect(special.length).toBeGreaterThan(3);
        for (const { id } of special) expect(after.map((folder) => folder["id"])).not.toContain(id);
        const changed = yield* ask("PATCH", `${FOLDERS}/${within.id}`, { name: "2027", parentId: null });
        expect(changed).toMatchObject({
          status: 200,
          body: { ok: true, data: { id: within.id, name: "2027", parentId: null } },
        });
      }).pipe(Effect.scoped),
  );

  it.live(
    "are refused with 400, 401, 404 or 409, and the reason [S4.5-3] [S4.5-4] [S4.5-5] [S4.6-4] [S4.6-5] [S2.3-8] [S2.3-9] [S2.3-10] [S2.3-11]",
    () =>
      Effect.gen(function* () {
        const { world, ask, create } = yield* start;
        const top = (yield* create("Top")).body.data.id;
        const leaf = (yield* create("Leaf", top)).body.data.id;
        for (const [method, path, json, ...told] of [
          ["POST", "", { name: "a/b" }, 400, "invalid_folder_name"],
          ["POST", "", { name: " edge" }, 400, "invalid_folder_name"],
          ["POST", "", { name: "tOP" }, 409, "folder_exists"],
          ["POST", "", { name: "inbox" }, 409, "folder_exists"],
          ["POST", "", { name: "New", parentId: "f_none" }, 404, "folder_not_found"],
          ["PATCH", `/${top}`, { parentId: leaf }, 400, "invalid_folder_name"],
          ["PATCH", `/${top}`, { name: "Sent" }, 409, "folder_exists"],
          ["PATCH", "/f_none", { name: "New" }, 404, "folder_not_found"],
          ["PATCH", "/inbox", { name: "New" }, 400, "system_folder"],
          ["DELETE", "/trash", undefined, 400, "system_folder"],
          ["DELETE", "/f_none", undefined, 404, "folder_not_found"],
          ["DELETE", `/${top}`, undefined, 400, "has_children"],
          ["DELETE", `/${leaf}?moveTo=f_none`, undefined, 404, "folder_not_found"],
          ["DELETE", `/${leaf}?moveTo=${leaf}`, undefined, 400, "invalid_destination"],
          ["DELETE", `/${top}?recursive=true&moveTo=${leaf}`, undefined, 400, "invalid_destination"],
        ] as const) {
          const { status, body } = yield* ask(method, FOLDERS + path, json);
          expect([method, path, json, status, body.code]).toEqual([method, path, json, ...told]);
        }
        for (const method of ["GET", "POST"]) expect((yield* call(world, method, FOLDERS)).status).toBe(401);
      }).pipe(Effect.scoped),
  );

  it.live(
    "are deleted with their messages moved to a folder, moved to Trash, which is created if missing, or destroyed [S4.6-2] [S4.6-6]",
    () =>
      Effect.gen(function* () {
        const { ask, create, account } = yield* start;
        const filled = Effect.fnUntraced(function* (name: string) {
          const { id } = (yield* create(name)).body.data;
          account.mailbox(name).append(new TextEncoder().encode("Subject: x\r\n\r\n.\r\n"), 0);
          return id as string;
        });
        account.delete("Trash");
        const [one, other, last] = [yield* filled("One"), yield* filled("Other"), yield* filled("Last")];
        const remove = (path: string) => Effect.map(ask("DELETE", `${FOLDERS}/${path}`), ({ body }) => body);
        expect(yield* remove(`${one}?moveTo=${other}`)).toEqual({
          ok: true,
          data: { id: one, deleted: true, movedTo: other, movedCount: 1 },
        });
        expect(yield* remove(other)).toMatchObject({ data: { deleted: true, movedTo: "trash", movedCount: 2 } });
        expect(account.mailbox("Trash").messages).toHaveLength(2);
        expect(yield* remove(`${last}?permanent=true`)).toMatchObject({ data: { movedTo: null, movedCount: 0 } });
        expect(account.mailbox("Trash").messages).toHaveLength(2);
      }).pipe(Effect.scoped),
  );
});
