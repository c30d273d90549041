import { afterEach, expect, test, vi } from "vitest";
import { enqueueAction } from "../src/mail/actions/batch-queue.ts";

/** Records batches, and answers them one by one when the test says so. */
const recorded = () => {
  const asked: Array<string> = [];
  let go: () => void = () => {};
  vi.stubGlobal("fetch", async (_: unknown, init: RequestInit) => {
    const { ids, ...action } = JSON.parse(String(init.body)) as { readonly ids: ReadonlyArray<string> };
    asked.push(`${Object.keys(action).join()} ${ids.join("")}`);
    await new Promise<void>((resolve) => (go = resolve));
    const data = { movedTo: null, results: ids.map((id) => ({ id, ok: id !== "z", newId: id, code: null })) };
    return Response.json({ ok: true, data });
  });
  const answerNext = async (count: number) => {
    await vi.waitUntil(() => asked.length === count);
    go();
  };
  return { asked, answerNext };
};

const read = { change: { unread: false } } as const;
const trash = { delete: "trash" } as const;

afterEach(() => vi.unstubAllGlobals());

test("joins waiting actions, and keeps the order of actions on one message", async () => {
  const { asked, answerNext } = recorded();
  const first = enqueueAction(["a"], read);
  await vi.waitUntil(() => asked.length === 1);
  const others = [
    enqueueAction(["a"], trash),
    enqueueAction(["b"], read),
    enqueueAction(["b"], trash),
    enqueueAction(["c"], read),
    enqueueAction(["a"], read),
    enqueueAction(["c", "z"], trash),
  ];
  for (const count of [1, 2, 3, 4]) await answerNext(count);
  const answers = await Promise.all([first, ...others]);
  expect(asked).toEqual(["change a", "delete a", "change bca", "delete bcz"]);
  expect(answers.map(({ results }) => results.map(({ id, ok }) => `${id} ${ok}`).join())).toEqual([
    "a true",
    "a true",
    "b true",
    "b true",
    "c true",
    "a true",
    "c true,z false",
  ]);
});

test("continues after an action that failed", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ code: "internal_error", title: "Failed" }, { status: 500 }));
  const failed = enqueueAction(["a"], read);
  await expect(failed).rejects.toThrow();
  const { asked, answerNext } = recorded();
  const next = enqueueAction(["a"], read);
  await answerNext(1);
  expect((await next).results).toHaveLength(1);
  expect(asked).toEqual(["change a"]);
});

test("repeats an action until the service is reached, and stores it meanwhile", async () => {
  const stored = new Map<string, string>();
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("localStorage", {
    setItem: (name: string, text: string) => stored.set(name, text),
    removeItem: (name: string) => stored.delete(name),
  });
  vi.stubGlobal("fetch", async () => Promise.reject(new TypeError("offline")));
  const [first, second] = [enqueueAction(["a"], read), enqueueAction(["b"], trash)];
  await vi.waitUntil(() => stored.size === 2);
  expect([...stored.values()].map((text) => JSON.parse(text) as unknown)).toEqual([
    { ids: ["a"], action: read },
    { ids: ["b"], action: trash },
  ]);
  const { asked, answerNext } = recorded();
  window.dispatchEvent(new Event("online"));
  await answerNext(1);
  await answerNext(2);
  await Promise.all([first, second]);
  expect(asked).toEqual(["change a", "delete b"]);
  expect(stored.size).toBe(0);
});
