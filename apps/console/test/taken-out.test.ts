import { afterEach, expect, test, vi } from "vitest";
import { queries } from "../src/api/client.ts";
import { pageQuery } from "../src/mail/emails/emails.ts";
import { destroy, move } from "../src/mail/actions/message-actions.ts";

const email = (id: string) => ({ id, subject: id, uid: 1, folder: "INBOX" });
const page = (...ids: ReadonlyArray<string>) => ({
  ok: true,
  emails: ids.map(email),
  nextCursor: null,
  total: ids.length,
});
const QUERY = pageQuery({ folder: "inbox", filter: "all" }, 1);
const shown = () => {
  const { emails, total } = queries.getQueryData(QUERY.queryKey)!;
  return [emails.map(({ id }) => id), total];
};

afterEach(() => {
  vi.unstubAllGlobals();
  queries.clear();
});

/** Answers listings with `list`, and batches with this status. */
const answering = (list: () => Promise<object>, status: number) =>
  vi.stubGlobal("fetch", async (_: unknown, init?: RequestInit) => {
    const asked = init?.method === "POST" ? (JSON.parse(String(init.body)) as { ids: ReadonlyArray<string> }) : null;
    const body =
      asked === null
        ? await list()
        : { ok: true, data: { movedTo: null, results: asked.ids.map((id) => ({ id, ok: true, newId: null })) } };
    const headers = { "content-type": "application/json" };
    return new Response(JSON.stringify(body), { status: asked === null ? 200 : status, headers });
  });

const cached = (listed: object) => queries.setQueryData(QUERY.queryKey, listed as never);

test("a list that was requested before a message was deleted does not show the message again", async () => {
  const held = Promise.withResolvers<object>();
  answering(() => held.promise, 200);
  cached(page("a", "b"));
  const listing = queries.fetchQuery({ ...QUERY, staleTime: 0 });
  const deleting = destroy([{ id: "b" }]);
  expect(shown()).toEqual([["a"], 1]);
  held.resolve(page("new", "a", "b"));
  await Promise.all([listing, deleting]);
  expect(shown()).toEqual([["new", "a"], 2]);
});

test("a message that was moved is listed where it is now, by the id that it keeps", async () => {
  answering(async () => ({ ...page("m"), emails: [{ ...email("m"), uid: 2 }] }), 200);
  cached(page("m"));
  await move([{ id: "m" }], { id: "f_a", name: "A" });
  expect(shown()).toEqual([[], 0]);
  // After the move back, the message has the same id and another UID.
  await queries.fetchQuery({ ...QUERY, staleTime: 0 });
  expect(shown()).toEqual([["m"], 1]);
});

test("a message that could not be deleted is listed again", async () => {
  answering(async () => page("a", "c"), 500);
  cached(page("a", "c"));
  await destroy([{ id: "c" }]);
  await queries.fetchQuery({ ...QUERY, staleTime: 0 });
  expect(shown()).toEqual([["a", "c"], 2]);
});
