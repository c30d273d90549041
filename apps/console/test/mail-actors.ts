import type { Page } from "playwright-core";
import { expect } from "vitest";

export const rows = (page: Page) => page.locator(".row");

export const rowOf = (page: Page, subject: string) => page.locator(".row", { hasText: subject });

/** Waits until the page says so. */
export const told = (page: Page, text: string) => page.locator(".toast", { hasText: text }).first().waitFor();

/** Sends a message by the API, from the other account unless told. */
export const send = async (base: string, subject: string, more: object = {}, from = "friend@postern.test") => {
  const json = { "content-type": "application/json" };
  const login = await fetch(`${base}/api/auth/mobile-login`, {
    method: "POST",
    headers: json,
    body: JSON.stringify({ email: from, password: "demo" }),
  });
  const { token } = (await login.json()) as { readonly token: string };
  const sent = await fetch(`${base}/api/send`, {
    method: "POST",
    headers: { ...json, authorization: `Bearer ${token}` },
    body: JSON.stringify({ to: "demo@postern.test", subject, text: `About ${subject}`, ...more }),
  });
  expect(sent.status).toBe(200);
};

/** The subjects of the first rows. */
export const listed = (page: Page, count = 12): Promise<ReadonlyArray<string>> =>
  page
    .locator(".row-subject")
    .evaluateAll((all, most) => all.slice(0, most).map((one) => one.textContent ?? ""), count);

/** Which message's row has the focus: a part of its subject; or else what has it. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    return element?.querySelector(".row-subject")?.textContent ?? element?.outerHTML.slice(0, 120) ?? "nothing";
  });

/** Whether all of the first fault of a form is in view, and of the field that has the focus. */
export const faultIsInView = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    [document.activeElement!.closest("label") ?? document.activeElement!, document.querySelector("form .fault")!].every(
      (element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return top >= 0 && bottom <= window.innerHeight;
      },
    ),
  );
