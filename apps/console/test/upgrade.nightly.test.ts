import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { launch, openPage, signIn } from "./chromium.ts";
import { drafts, text, written } from "./compose-actors.ts";
import { rows } from "./mail-actors.ts";
import { startUpgradedFront } from "./upgraded-front.ts";
import { describeOnDovecot, type World } from "./worlds.ts";

let browser: Browser;
let service: World;
let front: Awaited<ReturnType<typeof startUpgradedFront>>;

/** Without a service worker, which would have the code of all pages. */
describeOnDovecot("a console that is open during an upgrade", (start) => {
  beforeAll(async () => {
    [browser, service] = await Promise.all([launch(), start()]);
    front = await startUpgradedFront(service.base);
  });

  afterEach(() => {
    Object.assign(front.state, { isUpgraded: false, isDown: false, missing: /^$/ });
  });

  afterAll(async () => {
    front?.stop();
    await Promise.all([browser?.close(), service?.stop()]);
  });

  const openFirst = async () => {
    const opened = await openPage(browser, { serviceWorkers: "block" });
    await signIn(opened.page, front.url);
    const loaded = front.state.pages;
    return { ...opened, reloads: () => front.state.pages - loaded };
  };
  const settings = (page: Page) => page.getByRole("link", { name: "Settings" });
  const inSettings = (page: Page) => page.getByRole("link", { name: "Sessions" }).waitFor();
  const fault = (page: Page) => page.getByRole("alert");
  const inInbox = async (page: Page): Promise<void> => {
    await page.getByRole("link", { name: /^Inbox/ }).click();
    await rows(page).first().waitFor();
  };

  test("opens each page that was not loaded before in the new build", async () => {
    const ways: ReadonlyArray<readonly [string, (page: Page) => Promise<unknown>]> = [
      ["Write", (page) => page.keyboard.press("c").then(() => text(page).waitFor())],
      [
        "Settings",
        (page) =>
          settings(page)
            .click()
            .then(() => inSettings(page)),
      ],
      [
        "Drafts",
        (page) =>
          page.keyboard.type("gd").then(() => page.getByRole("heading", { name: "Drafts", exact: true }).waitFor()),
      ],
      [
        "Outbox",
        (page) =>
          page.keyboard.type("go").then(() => page.getByRole("heading", { name: "Outbox", exact: true }).waitFor()),
      ],
    ];
    for (const [what, open] of ways) {
      front.state.isUpgraded = false;
      const { page, context, reloads } = await openFirst();
      front.state.isUpgraded = true;
      await open(page);
      expect(reloads(), what).toBe(1);
      await inInbox(page);
      await context.close();
    }
  });

  test("answers the open message, and keeps the text when another page is opened", async () => {
    const { page, context, reloads } = await openFirst();
    await rows(page).first().click();
    await page.getByRole("link", { name: "Reply", exact: true }).waitFor();
    const subject = await page.locator(".message h1").innerText();
    front.state.isUpgraded = true;
    await page.keyboard.press("r");
    await text(page).waitFor();
    expect(await page.getByLabel("Subject").inputValue()).toBe(`Re: ${subject}`);
    await text(page).pressSequentially("harbour words ");
    // A second upgrade, back to the names of the first.
    front.state.isUpgraded = false;
    await settings(page).click();
    await inSettings(page);
    expect(reloads()).toBe(2);
    await page.getByRole("link", { name: /^Drafts/ }).click();
    await drafts(page, `Re: ${subject}`).first().click();
    await text(page).waitFor();
    await expect.poll(() => written(page)).toContain("harbour words");
    await context.close();
  });

  test("reloads once for a page whose code is missing, and shows the failure only on this page", async () => {
    const { page, context, reloads } = await openFirst();
    front.state.missing = /SettingsPages/;
    await settings(page).click();
    await fault(page).waitFor();
    expect(reloads()).toBe(1);
    await inInbox(page);
    expect(await fault(page).count()).toBe(0);
    await settings(page).click();
    await fault(page).waitFor();
    expect(reloads()).toBe(1);
    front.state.missing = /^$/;
    await page.getByRole("button", { name: "Try again" }).click();
    await inSettings(page);
    expect(reloads()).toBe(1);
    await context.close();
  });

  test("does not mistake a lost network for an upgrade", async () => {
    const { page, context, reloads } = await openFirst();
    front.state.isDown = true;
    await settings(page).click();
    await page.getByText("The service cannot be reached.").waitFor();
    await inInbox(page);
    await settings(page).click();
    await page.getByText("The service cannot be reached.").waitFor();
    front.state.isDown = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await inSettings(page);
    expect(reloads()).toBe(0);
    await context.close();
  });
});
