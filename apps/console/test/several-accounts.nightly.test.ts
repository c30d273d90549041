import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, launch, openPage, signIn } from "./chromium.ts";
import { send } from "./mail-actors.ts";
import { describeOnDovecot, type World } from "./worlds.ts";

let browser: Browser;
let service: World;

const DEMO = "demo@postern.test";
const FRIEND = "friend@postern.test";

const row = (page: Page, subject: string) => page.locator(".row", { hasText: subject }).first();

const openMenu = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: /^Account/ }).press("Enter");
  await page.getByRole("menu", { name: "Account" }).waitFor();
};

/** Adds an account by the menu, with the keyboard. */
const add = async (page: Page, email: string): Promise<void> => {
  await openMenu(page);
  await page.getByRole("menuitem", { name: "Add account" }).press("Enter");
  await page.getByRole("heading", { name: "Add an account" }).waitFor();
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill("demo");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: `Account ${email}` }).waitFor();
};

describeOnDovecot("several accounts in one window", (start) => {
  beforeAll(async () => {
    [browser, service] = await Promise.all([launch(), start()]);
    await send(service.base, "Only for the friend", { to: FRIEND }, DEMO);
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), service?.stop()]);
  });

  test("are added, switched by menu and key, and signed out of one by one [S15.5-1] [S15.5-2]", async () => {
    const { page, context, faults } = await openPage(browser);
    await signIn(page, service.base);
    await add(page, FRIEND);
    await row(page, "Only for the friend").waitFor();
    expect(await row(page, "Letter 130").count()).toBe(0);
    await openMenu(page);
    await expectAccessible(page, "the menu of two accounts");
    await page.getByRole("menuitemradio", { name: DEMO }).press("Enter");
    await row(page, "Letter 130").waitFor();
    expect(await row(page, "Only for the friend").count()).toBe(0);
    await page.keyboard.press("g");
    await page.keyboard.press("2");
    await row(page, "Only for the friend").waitFor();

    // Each tab has its own account, and a reload keeps it.
    const other = await context.newPage();
    await other.goto(service.base);
    await row(other, "Letter 130").waitFor();
    await page.reload();
    await row(page, "Only for the friend").waitFor();

    await openMenu(page);
    await page.getByRole("menuitem", { name: `Sign out ${FRIEND}` }).press("Enter");
    await row(page, "Letter 130").waitFor();
    await openMenu(page);
    expect(await page.getByRole("menuitemradio", { name: FRIEND }).count()).toBe(0);
    await page.getByRole("menuitem", { name: "Sign out", exact: true }).press("Enter");
    await page.getByLabel("Password").waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test("have one joined inbox, whose messages open with their files in their account [S15.5-3]", async () => {
    const { page, context, faults } = await openPage(browser);
    await signIn(page, service.base, DEMO);
    await add(page, FRIEND);
    await page.keyboard.press("g");
    await page.keyboard.press("a");
    await page.getByRole("heading", { name: "All inboxes" }).waitFor();
    await row(page, "Letter 130").getByText(DEMO).waitFor();
    await row(page, "Only for the friend").waitFor();
    await expectAccessible(page, "all inboxes");
    await send(service.base, "A late arrival", { to: FRIEND }, DEMO);
    await row(page, "A late arrival").waitFor();
    await row(page, "Letter 129").press("Enter");
    await page.getByRole("heading", { name: "Letter 129" }).waitFor();
    await page.locator("article").getByText("This is letter 129.").waitFor();
    await page.getByRole("button", { name: `Account ${DEMO}` }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test("keep their waiting actions apart [S15.5-4]", async () => {
    const { page, context } = await openPage(browser);
    await signIn(page, service.base, DEMO);
    await row(page, "Letter 128").click();
    await page.getByRole("heading", { name: "Letter 128" }).waitFor();
    await context.setOffline(true);
    await page.keyboard.press("s");
    const stored = () =>
      page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith("postern-action ")));
    await expect.poll(async () => (await stored()).length).toBe(1);
    expect((await stored())[0]).toContain(`postern-action ${DEMO} `);
    await context.setOffline(false);
    await expect.poll(async () => (await stored()).length, { timeout: 15_000 }).toBe(0);
    await context.close();
  });
});
