import type { Page } from "playwright-core";
import { expect } from "vitest";

export const rows = (page: Page) => page.locator(".row");

export const rowOf = (page: Page, subject: string) => page.locator(".row", { hasText: subject });

/** Waits for a toast with this text. */
export const told = (page: Page, text: string) => page.locator(".toast", { hasText: text }).first().waitFor();

/** Signs in at the API, and returns a function that asks it. */
const asker = async (base: string, email: string) => {
  const json = { "content-type": "application/json" };
  const login = await fetch(`${base}/api/auth/mobile-login`, {
    method: "POST",
    headers: json,
    body: JSON.stringify({ email, password: "demo" }),
  });
  const { token } = (await login.json()) as { readonly token: string };
  const headers = { ...json, authorization: `Bearer ${token}` };
  return (path: string, init: RequestInit = {}) => fetch(base + path, { ...init, headers });
};

/** Sends a message by the API, from the other account by default. */
export const send = async (base: string, subject: string, more: object = {}, from = "friend@postern.test") => {
  const ask = await asker(base, from);
  const body = JSON.stringify({ to: "demo@postern.test", subject, text: `About ${subject}`, ...more });
  expect((await ask("/api/send", { method: "POST", body })).status).toBe(200);
};

/** Creates a folder at the top level by the API. */
export const createFolder = async (base: string, name: string): Promise<void> => {
  const ask = await asker(base, "demo@postern.test");
  const body = JSON.stringify({ name, parentId: null });
  expect((await ask("/api/settings/folders", { method: "POST", body })).ok).toBe(true);
};

interface Listed {
  readonly subject: string;
  readonly labels: ReadonlyArray<string>;
}

/** Returns the latest messages in a folder, none if the folder is not there. */
const messagesIn = async (base: string, folder: string): Promise<ReadonlyArray<Listed>> => {
  const ask = await asker(base, "demo@postern.test");
  const { folders } = (await (await ask("/api/folders")).json()) as { folders: ReadonlyArray<Record<string, string>> };
  const found = folders.find(({ name }) => name === folder);
  if (found === undefined) return [];
  const listing = await ask(`/api/inbox?folder=${encodeURIComponent(found["id"]!)}&limit=200`);
  return ((await listing.json()) as { readonly emails: ReadonlyArray<Listed> }).emails;
};

export const subjectsIn = async (base: string, folder: string): Promise<ReadonlyArray<string>> =>
  (await messagesIn(base, folder)).map(({ subject }) => subject);

/** Returns the labels of the latest message in the inbox with a subject. */
export const labelsOf = async (base: string, subject: string): Promise<ReadonlyArray<string> | undefined> =>
  (await messagesIn(base, "INBOX")).find((one) => one.subject === subject)?.labels;

/** Returns the subjects of the first rows. */
export const listed = (page: Page, count = 12): Promise<ReadonlyArray<string>> =>
  page
    .locator(".row-subject")
    .evaluateAll((all, most) => all.slice(0, most).map((one) => one.textContent ?? ""), count);

/** Returns the ids of all rows in their order: scrolls through the list, of which only a part is on the page. */
export const walked = async (page: Page): Promise<ReadonlyArray<string>> => {
  const ids: Array<string> = [];
  const total = Number(await rows(page).first().locator("..").getAttribute("aria-setsize"));
  for (let row = 0; row < total; row++) {
    const item = page.locator(`[data-row="${row}"][data-message]`);
    if ((await item.count()) === 0) {
      await page.locator(".mail-rows").evaluate(
        (list, at) => {
          list.scrollTop = (list.firstElementChild!.clientHeight / at.total) * at.row;
        },
        { row, total },
      );
      await item.waitFor();
    }
    ids.push((await item.getAttribute("data-message"))!);
  }
  return ids;
};

/** Returns the subject in the focused row, or the HTML of the focused element. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    return element?.querySelector(".row-subject")?.textContent ?? element?.outerHTML.slice(0, 120) ?? "nothing";
  });

/** Whether the first fault of a form and the focused field are completely in view. */
export const faultIsInView = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    [document.activeElement!.closest("label") ?? document.activeElement!, document.querySelector("form .fault")!].every(
      (element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return top >= 0 && bottom <= window.innerHeight;
      },
    ),
  );
