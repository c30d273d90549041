import { afterEach, expect, test, vi } from "vitest";
import { queries } from "../src/api/client.ts";
import { takeInNew } from "../src/mail/emails.ts";
import { remove } from "../src/mail/message-actions.ts";

const email = (id: string) => ({ id, subject: id });
const page = (...ids: ReadonlyArray<string>) => ({
  ok: true,
  emails: ids.map(email),
  nextCursor: null,
  total: ids.length,
});
const KEY = ["emails", { folder: "inbox" }];
const shown = () => {
  const [first] = queries.getQueryData<{ pages: ReadonlyArray<ReturnType<typeof page>> }>(KEY)!.pages;
  return [first!.emails.map(({ id }) => id), first!.total];
};

afterEach(() => {
  vi.unstubAllGlobals();
  queries.clear();
});

/** Answers listings by `list`, and deletions with this status. */
const answering = (list: () => Promise<object>, deleted: number) =>
  vi.stubGlobal("fetch", async (_: unknown, init?: RequestInit) => {
    const [status, body] =
      init?.method === "DELETE" ? [deleted, { ok: true, data: { movedTo: null, newId: null } }] : [200, await list()];
    return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
  });

test("a list that was asked for before a message is deleted does not show it again", async () => {
  const held = Promise.withResolvers<object>();
  answering(() => held.promise, 200);
  queries.setQueryData(KEY, { pages: [page("a", "b")], pageParams: [null] });
  const listing = takeInNew("inbox");
  const deleting = remove("b", undefined, true);
  expect(shown()).toEqual([["a"], 1]);
  held.resolve(page("new", "a", "b"));
  await Promise.all([listing, deleting]);
  expect(shown()).toEqual([["new", "a"], 2]);
});

test("a message that could not be deleted is listed again", async () => {
  answering(async () => page("a", "b"), 500);
  queries.setQueryData(KEY, { pages: [page("a", "b")], pageParams: [null] });
  await remove("b", undefined, true);
  await takeInNew("inbox");
  expect(shown()).toEqual([["b", "a"], 2]);
});
