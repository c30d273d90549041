import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, launch, openPage } from "./chromium.ts";
import { told } from "./mail-actors.ts";
import { ADMIN_KEY, startReceiver } from "./service.ts";
import { describeOnDovecot, type World } from "./worlds.ts";

let browser: Browser;
let service: World;

const DEMO = "demo@postern.test";
const DAY_MILLIS = 86_400_000;
const DESK = "Quay Desk";

const call = async (key: string, path: string, body: object, account?: string) => {
  const answer = await fetch(`${service.base}${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...(account === undefined ? {} : { "postern-account": account }),
    },
    body: JSON.stringify(body),
  });
  expect(answer.status, path).toBe(200);
  return ((await answer.json()) as { readonly data: { readonly key: string } }).data;
};

const openRooms = async (page: Page): Promise<void> => {
  await page.goto(`${service.base}/accounts`);
  await page.getByLabel("Admin key").fill(ADMIN_KEY);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Accounts", exact: true }).waitFor();
};

const enter = async (page: Page, room: string): Promise<void> => {
  await page.getByRole("navigation", { name: "Administration" }).getByRole("link", { name: room }).press("Enter");
  await page.getByRole("heading", { name: room, exact: true }).waitFor();
};

describeOnDovecot("the rooms of the operator", (start) => {
  let key: string;

  beforeAll(async () => {
    [browser, service] = await Promise.all([launch(), start({ ADMIN_KEY })]);
    const scopes = ["accounts:read", "accounts:write", "mail:send"];
    key = (await call(ADMIN_KEY, "/api/keys", { name: "backend", application: DESK, scopes })).key;
    await call(key, "/api/accounts", { email: DEMO, password: "demo" });
    const sendAt = new Date(Date.now() + DAY_MILLIS).toISOString();
    for (const to of ["one@elsewhere.test", "two@elsewhere.test"])
      await call(key, "/api/send", { to, subject: "A private subject", text: "A private text", sendAt }, DEMO);
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), service?.stop()]);
  });

  test("[S15.4-3] the outbox has the mail of all accounts without contents; messages that match a filter are held, released and cancelled", async () => {
    const { page, context, faults } = await openPage(browser);
    await openRooms(page);
    await enter(page, "Outbox");
    const lines = page.getByRole("list", { name: "Messages", exact: true }).locator(":scope > .line");
    await expect.poll(() => lines.count()).toBe(2);
    expect(await page.locator("main").innerText()).not.toMatch(/private/);
    await lines
      .filter({ hasText: "one@elsewhere.test" })
      .getByText(/^scheduled$/)
      .waitFor();
    expect(await page.getByRole("button", { name: "Hold" }).count()).toBe(0);

    await page.getByRole("searchbox", { name: "Application" }).fill("Another");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "No messages" }).waitFor();
    await page.getByRole("searchbox", { name: "Application" }).fill(DESK);
    await page.keyboard.press("Enter");
    await expect.poll(() => lines.count()).toBe(2);
    const change = async (action: string, yes: string, then: string): Promise<void> => {
      await page.getByRole("button", { name: action }).press("Enter");
      const question = page.getByRole("alertdialog");
      await question.waitFor();
      await expectAccessible(page, action);
      await question.getByRole("button", { name: yes }).press("Enter");
      await told(page, then);
    };
    await change("Hold", "Hold messages", "2 messages held.");
    await lines.first().getByText("by the operator").waitFor();
    await change("Release", "Release messages", "2 messages released.");
    await lines
      .first()
      .getByText(/^scheduled$/)
      .waitFor();
    await change("Cancel sending", "Cancel sending", "2 messages cancelled.");
    await lines
      .first()
      .getByText(/^cancelled$/)
      .first()
      .waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test("[S15.4-4] the audit names each change, and is searched by account, key and change", async () => {
    const { page, context, faults } = await openPage(browser);
    await openRooms(page);
    await enter(page, "Audit");
    const lines = page.getByRole("list", { name: "Entries" }).locator(".line");
    await lines.filter({ hasText: "Message sent" }).filter({ hasText: DESK }).first().waitFor();
    await lines.filter({ hasText: "Service key created" }).getByText("the operator").waitFor();
    await page.getByRole("searchbox", { name: "Key" }).fill("admin");
    await page.keyboard.press("Enter");
    await expect.poll(() => lines.filter({ hasText: "Message sent" }).count()).toBe(0);
    await page.getByRole("searchbox", { name: "Key" }).fill("");
    await page.getByRole("searchbox", { name: "Account" }).fill(DEMO);
    await page.keyboard.press("Enter");
    await lines.filter({ hasText: "Message sent" }).first().waitFor();
    expect(await lines.filter({ hasText: "Service key created" }).count()).toBe(0);
    await page.getByRole("button", { name: /Change$/ }).press("Enter");
    await page.getByRole("option", { name: "Account added" }).press("Enter");
    await expect.poll(() => lines.count()).toBe(1);
    await lines.first().getByRole("link", { name: /^acc_/ }).press("Enter");
    await page.getByRole("heading", { name: DEMO }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test("[S15.4-5] the metrics show the number of accounts, and the page says if a proxy keeps them private", async () => {
    const { page, context, faults } = await openPage(browser);
    await openRooms(page);
    await enter(page, "Metrics");
    await page
      .getByRole("region", { name: "Accounts" })
      .locator(".figure", { hasText: "active" })
      .getByText("1")
      .waitFor();
    await page.getByRole("region", { name: "This process" }).getByText("uptime").waitFor();
    await page.route("**/metrics", (route) => route.fulfill({ status: 404, body: "Not found" }));
    await page.getByText("The metrics are private here").waitFor();
    expect(faults.filter((fault) => !/404/.test(fault))).toEqual([]);
    await context.close();
  });

  test("[S15.4-6] an application's endpoint shows its deliveries, and a body only when it is asked for", async () => {
    const receiver = await startReceiver();
    receiver.answer.status = 500;
    const scopes = ["mail:send", "events"];
    const { key: harbour } = await call(ADMIN_KEY, "/api/keys", { name: "harbour", application: "Harbour", scopes });
    await call(harbour, "/api/settings/webhooks", { url: receiver.url, events: ["email.sent"] });
    await call(harbour, "/api/send", { to: "friend@postern.test", subject: "Quiet words", text: "x" }, DEMO);
    for (const colorScheme of ["light", "dark"] as const) {
      const { page, context, faults } = await openPage(browser, { colorScheme, viewport: { width: 390, height: 800 } });
      await openRooms(page);
      await enter(page, "Applications");
      await page.getByRole("link", { name: "Harbour" }).press("Enter");
      await page.getByRole("link", { name: receiver.url }).press("Enter");
      const delivery = page.locator("summary", { hasText: "email.sent" }).first();
      await delivery.press("Enter");
      await page.getByLabel("Headers of attempt 1").getByText("X-Service-Signature").waitFor();
      await page.getByLabel("Answer to attempt 1").getByText("the receiver says 500").waitFor();
      expect(await page.locator("main").innerText()).not.toMatch(/Quiet words/);
      await expectAccessible(page, `a delivery, ${colorScheme}`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      await page.getByRole("button", { name: "Show the body" }).press("Enter");
      await page.getByRole("alertdialog").getByRole("button", { name: "Show body" }).press("Enter");
      await page.getByLabel("Body").getByText("Quiet words").waitFor();
      await expectAccessible(page, `a body, ${colorScheme}`);
      await enter(page, "Audit");
      const entries = page.getByRole("list", { name: "Entries" }).locator(".line");
      await entries.filter({ hasText: "Delivery body read" }).first().waitFor();
      expect(faults).toEqual([]);
      await context.close();
    }
    receiver.stop();
    const headers = { authorization: `Bearer ${ADMIN_KEY}` };
    await fetch(`${service.base}/api/applications/Harbour`, { method: "DELETE", headers });
  });

  test("[S15.4-2] [S15.4-1] an application is suspended, resumed and deleted, with the keyboard; the browser keeps no admin key", async () => {
    const { page, context, faults } = await openPage(browser);
    await openRooms(page);
    await enter(page, "Applications");
    await page.getByRole("link", { name: DESK }).press("Enter");
    await page.getByRole("list", { name: "Service keys" }).getByText("backend").waitFor();
    await page.getByRole("button", { name: "Suspend" }).press("Enter");
    await page.getByRole("alertdialog").getByRole("button", { name: "Suspend" }).press("Enter");
    await told(page, "Application suspended.");
    await page.getByText("Suspended since").waitFor();
    await expectAccessible(page, "a suspended application");
    const refusal = await fetch(`${service.base}/api/accounts`, { headers: { authorization: `Bearer ${key}` } });
    expect(refusal.status).toBe(403);
    await page.getByRole("button", { name: "Resume" }).press("Enter");
    await told(page, "Application resumed.");
    await page.getByText("Suspended since").waitFor({ state: "detached" });

    await page.getByRole("button", { name: "Delete", exact: true }).press("Enter");
    const question = page.getByRole("alertdialog");
    await question.getByText("Hold them").click();
    await question.getByRole("button", { name: "Delete application" }).press("Enter");
    await told(page, "Application deleted, with 1 key and 0 endpoints.");
    await page.getByText("No applications yet").waitFor();
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    expect(kept).not.toContain(ADMIN_KEY);
    expect(faults).toEqual([]);
    await context.close();
  });
});
