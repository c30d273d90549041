import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, launch, openPage, signIn } from "./chromium.ts";
import { focused, listed, rowOf, rows, send, told } from "./mail-actors.ts";
import { describeOnDovecot, type World } from "./worlds.ts";

let browser: Browser;
let service: World;

const chosen = (page: Page) => page.locator(".row-item.chosen");
const selected = (page: Page, count: number) => page.getByText(`${count} selected`, { exact: true }).waitFor();
const isOnBody = (page: Page): Promise<boolean> => page.evaluate(() => document.activeElement === document.body);

describeOnDovecot("selecting messages in the browser", (start) => {
  beforeAll(async () => {
    [browser, service] = await Promise.all([launch(), start()]);
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), service?.stop()]);
  });

  test("messages are selected by keys, flagged, archived and restored together", async () => {
    const { page, context, faults } = await openPage(browser);
    await signIn(page, service.base);
    const before = await listed(page, 6);
    for (const key of ["j", "j", "x", "J", "J"]) await page.keyboard.press(key);
    await selected(page, 3);
    await page.keyboard.press("K");
    await selected(page, 2);
    expect(await focused(page)).toBe(before[2]);
    await page.keyboard.press("J");
    await expectAccessible(page, "selected messages");
    await page.keyboard.press("s");
    await expect.poll(() => chosen(page).getByLabel("Flagged").count()).toBe(3);
    await page.keyboard.press("s");
    await expect.poll(() => chosen(page).getByLabel("Flagged").count()).toBe(0);

    await page.keyboard.press("e");
    await page.getByRole("button", { name: "Create Archive" }).click();
    await told(page, "3 messages moved to Archive.");
    // The row below the moved ones has the focus, and takes their place.
    await expect.poll(() => focused(page)).toBe(before[4]);
    await expect.poll(() => listed(page, 3)).toEqual([before[0], before[4], before[5]]);
    await page.keyboard.press("z");
    for (const subject of before.slice(1, 4)) await rowOf(page, subject).first().waitFor();
    await expect.poll(() => listed(page, 6)).toEqual(before);
    expect(await isOnBody(page)).toBe(false);
    expect(faults).toEqual([]);
    await context.close();
  });

  test("a range is selected with the mouse, deleted, and deleted permanently by emptying Trash", async () => {
    const { page, context, faults } = await openPage(browser);
    await signIn(page, service.base);
    const before = await listed(page, 8);
    await rows(page).nth(1).locator("..").getByRole("checkbox").click();
    await rows(page)
      .nth(3)
      .click({ modifiers: ["Shift"] });
    await selected(page, 3);
    const boxes = chosen(page).getByRole("checkbox");
    expect(await boxes.evaluateAll((all) => all.map((box) => (box as HTMLInputElement).checked))).toEqual([
      true,
      true,
      true,
    ]);
    await page.keyboard.press("Escape");
    await rows(page).nth(1).locator("..").getByRole("checkbox").click();
    await rows(page)
      .nth(3)
      .locator("..")
      .getByRole("checkbox")
      .click({ modifiers: ["Shift"] });
    await selected(page, 3);
    expect(await boxes.evaluateAll((all) => all.map((box) => (box as HTMLInputElement).checked))).toEqual([
      true,
      true,
      true,
    ]);
    await page.getByRole("button", { name: "Delete 3 messages" }).click();
    await told(page, "3 messages moved to Trash.");
    await expect.poll(() => listed(page, 2)).toEqual([before[0], before[4]]);
    await expect.poll(() => isOnBody(page)).toBe(false);

    await page.getByRole("link", { name: "Trash" }).click();
    await page.getByRole("button", { name: "Empty Trash" }).waitFor();
    // The button hides none of the filters.
    const filters = page.getByRole("navigation", { name: "Filters" });
    expect(await filters.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    await page.getByRole("button", { name: "Empty Trash" }).click();
    const question = page.getByRole("alertdialog", { name: "Empty Trash?" });
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Empty Trash" }).click();
    await question.getByRole("button", { name: /^Delete \d+ messages?/ }).click();
    await page.getByText("No messages here").waitFor();
    await told(page, "deleted permanently.");
    await page.reload();
    await page.getByText("No messages here").waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test("junk is moved to Junk and back, and a filter shows unread messages until all are marked as read", async () => {
    const subject = "A boat to be won";
    await send(service.base, subject);
    const { page, context, faults } = await openPage(browser);
    await signIn(page, service.base);
    await rowOf(page, subject).waitFor();
    // No row has the focus, so it is not clear which message the key means.
    await page.keyboard.press("!");
    await page.keyboard.press("j");
    await expect.poll(() => focused(page)).toContain(subject);
    await page.keyboard.press("!");
    await told(page, "Moved to Junk.");
    await page.getByRole("link", { name: /^Junk/ }).click();
    await rowOf(page, subject).click();
    await page.locator("article").waitFor();
    await page.getByRole("button", { name: "Not junk" }).click();
    await told(page, "Moved to Inbox.");
    await page.getByRole("link", { name: /^Inbox/ }).click();
    await rowOf(page, subject).waitFor();

    await page.keyboard.press("j");
    await page.keyboard.press("m");
    await page.locator(".row.unread", { hasText: subject }).waitFor();
    await page.getByRole("link", { name: "Unread", exact: true }).click();
    await rowOf(page, subject).waitFor();
    expect(await page.locator(".row:not(.unread)").count()).toBe(0);
    await page.getByRole("button", { name: "Mark all as read" }).click();
    await told(page, "marked as read.");
    await page.getByText("No messages found").waitFor();
    await page.keyboard.press("z");
    await rowOf(page, subject).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test("messages that could not be moved are marked in their rows", async () => {
    const { page, context } = await openPage(browser);
    await signIn(page, service.base);
    const before = await listed(page, 4);
    await context.route("**/api/messages/batch", (route) =>
      route.fulfill({
        status: 503,
        contentType: "application/problem+json",
        body: JSON.stringify({ code: "mail_server_unreachable", title: "The mail server is away", status: 503 }),
      }),
    );
    await page.keyboard.press("j");
    await page.keyboard.press("J");
    await selected(page, 2);
    await page.keyboard.press("#");
    await told(page, "2 of 2 messages are marked in the list.");
    await expect.poll(() => listed(page, 4)).toEqual(before);
    expect(await rows(page).getByLabel("Deleting failed: The mail server is away").count()).toBe(2);
    await context.close();
  });
});
