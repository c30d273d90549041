import type { Page } from "playwright-core";

export const to = (page: Page) => page.getByLabel("To", { exact: true });
/** Returns the recipients that are entered in a field. */
export const entered = (page: Page, field: string) =>
  page
    .getByRole("list", { name: `${field}, entered` })
    .locator("li")
    .evaluateAll((all) => all.map((one) => one.getAttribute("title")));

export const text = (page: Page) => page.getByRole("textbox", { name: "Message" });
/** Returns the text of the message, plain or with formatting. */
export const written = (page: Page) =>
  text(page).evaluate((field) =>
    (field instanceof HTMLTextAreaElement ? field.value : (field as HTMLElement).innerText)
      .replaceAll(/[\u00a0 ]+$/gm, "")
      .trim(),
  );

/** Saves at once, as if the user opened another tab. */
export const hide = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
    Reflect.deleteProperty(document, "visibilityState");
  });

export const savedNow = async (page: Page): Promise<void> => {
  await hide(page);
  await page.getByText("Saved in Drafts").waitFor();
};

export const drafts = (page: Page, subject: string) => page.locator(".draft-row", { hasText: subject });

export const sendIt = (page: Page) => page.getByRole("button", { name: "Send", exact: true }).click();
