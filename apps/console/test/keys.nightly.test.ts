import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, launch, openPage, signIn } from "./chromium.ts";
import { faultIsInView, told } from "./mail-actors.ts";
import { ADMIN_KEY } from "./service.ts";
import { describeOnDovecot, type World } from "./worlds.ts";

let browser: Browser;
let service: World;

const enterKey = async (page: Page, key: string): Promise<void> => {
  await page.getByLabel("Admin key").fill(key);
  await page.keyboard.press("Enter");
};

describeOnDovecot("service keys in the browser", (start) => {
  beforeAll(async () => {
    [browser, service] = await Promise.all([launch(), start({ ADMIN_KEY })]);
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), service?.stop()]);
  });

  test("the operator's key stays in the memory of the tab, and goes without the cookie", async () => {
    const { page, context, faults } = await openPage(browser);
    const withCookie: Array<string> = [];
    page.on("request", async (request) => {
      const headers = await request.allHeaders();
      if (headers["authorization"] !== undefined && headers["cookie"] !== undefined) withCookie.push(request.url());
    });
    await signIn(page, service.base);
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("link", { name: "Accounts" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Enter the admin key.").waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute("type"))).toBe("password");
    await enterKey(page, `${ADMIN_KEY}x`);
    await page.getByText("The service does not accept this key.").waitFor();
    await enterKey(page, ADMIN_KEY);
    await page.getByRole("link", { name: "Service keys" }).click();
    await page.getByText("No keys yet").waitFor();
    expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(
      ADMIN_KEY,
    );
    expect((await context.cookies()).map(({ value }) => value)).not.toContain(ADMIN_KEY);
    await page.getByRole("link", { name: "Mailbox" }).click();
    await page.locator(".row").first().waitFor();
    await page.goBack();
    await page.getByText("No keys yet").waitFor();
    await page.reload();
    await page.getByLabel("Admin key").waitFor();
    expect(withCookie).toEqual([]);
    // The wrong key.
    expect(faults.filter((fault) => !/401/.test(fault))).toEqual([]);
    await context.close();
  });

  test("a key is created with the keyboard alone, shown once, used and deleted", async () => {
    const { page, context, faults } = await openPage(browser);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(service.base);
    await page.getByRole("link", { name: "Manage accounts with an admin key" }).press("Enter");
    await enterKey(page, ADMIN_KEY);
    await page.getByRole("link", { name: "Service keys" }).press("Enter");
    await page.getByRole("link", { name: "Create key" }).press("Enter");
    await page.getByLabel("Name").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("Enter a name.").waitFor();
    expect(await faultIsInView(page)).toBe(true);
    await page.keyboard.type("Support desk");
    await page.keyboard.press("Enter");
    await page.getByText("Choose at least one scope.").waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute("value"))).toBe("accounts:read");
    await page.keyboard.press("Space");
    await page.getByLabel("Accounts", { exact: true }).press("End");
    await page.keyboard.type("*@example.com\ntag:support");
    await page.getByLabel("Networks").press("End");
    await page.keyboard.type("not a network");
    await page.getByRole("button", { name: "Create key" }).press("Enter");
    await page.locator(".fault").waitFor();
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("TEXTAREA");
    await page.getByLabel("Networks").fill("127.0.0.0/8");
    await page.getByRole("button", { name: "Create key" }).press("Enter");
    await page.getByRole("button", { name: "Copy the service key" }).press("Enter");
    await page.getByText("Copied", { exact: true }).waitFor();
    const key = await page.evaluate(() => navigator.clipboard.readText());
    expect(key).toMatch(/^psk_/);
    await expectAccessible(page, "the new key");

    const use = () => fetch(`${service.base}/api/keys`, { headers: { authorization: `Bearer ${key}` } });
    expect((await use()).status, "no admin key").toBe(403);
    await page.getByRole("link", { name: "Copied, show the keys" }).press("Enter");
    const line = page.locator(".line", { hasText: "Support desk" });
    await line.getByText("Reaches *@example.com, tag:support, from 127.0.0.0/8").waitFor();
    expect(await page.content()).not.toContain(key);
    await line.getByRole("button", { name: "Delete key Support desk" }).press("Enter");
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete key" }).press("Enter");
    await told(page, "Key Support desk deleted.");
    await page.getByText("No keys yet").waitFor();
    expect((await use()).status).toBe(401);
    await page.getByRole("button", { name: "Forget the key" }).press("Enter");
    await page.getByLabel("Admin key").waitFor();
    // The network that the service refused.
    expect(faults.filter((fault) => !/400/.test(fault))).toEqual([]);
    await context.close();
  });
});
