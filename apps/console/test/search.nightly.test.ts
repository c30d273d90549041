import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, launch, openPage, signIn } from "./chromium.ts";
import { rows } from "./mail-actors.ts";
import { describeOnDovecot, type World } from "./worlds.ts";

let browser: Browser;
let service: World;

const letter = (subject: string, from: string, body: string): string =>
  [
    `From: ${from}`,
    "To: demo@postern.test",
    `Subject: ${subject}`,
    `Message-ID: <${subject}@x.test>`,
    "",
    body,
    "",
  ].join("\r\n");
const withFile = (subject: string): string =>
  [
    "From: carl@x.test",
    `Subject: ${subject}`,
    `Message-ID: <${subject}@x.test>`,
    "Content-Type: multipart/mixed; boundary=b",
    "",
    "--b\r\nContent-Type: text/plain\r\n\r\nThe costs.",
    "--b\r\nContent-Type: text/csv\r\nContent-Disposition: attachment; filename=costs.csv\r\n\r\ndoor,40",
    "--b--",
    "",
  ].join("\r\n");

const MAILS = {
  INBOX: [
    letter("qz-a", "Priya <priya@x.test>", "The harvest is late."),
    letter("qz-b harvest", "ann@x.test", "Ripe red apples."),
    withFile("qz-c"),
  ],
  Projects: [letter("qz-d harvest", "Priya <priya@x.test>", "Apples, red and ripe.")],
};

describeOnDovecot("a search in the browser", (start) => {
  beforeAll(async () => {
    [browser, service] = await Promise.all([launch(), start({}, {}, MAILS)]);
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), service?.stop()]);
  });

  /** The results in their order. */
  const hits = async (page: Page): Promise<string> =>
    (await page.locator(".row-subject").allInnerTexts()).map((subject) => /qz-(\w)/.exec(subject)?.[1] ?? "?").join("");
  const box = (page: Page) => page.getByRole("combobox", { name: "Search mail" });
  const find = async (page: Page, search: string, expected: string): Promise<void> => {
    await box(page).fill(search);
    await box(page).press("Enter");
    await page.getByRole("status").getByText("newest first").waitFor();
    await expect.poll(() => hits(page), { message: search }).toBe(expected);
  };
  const toInbox = async (page: Page): Promise<void> => {
    await page.goto(service.base);
    await rows(page).first().waitFor();
  };

  test("finds messages by operators, words and phrases: first by headers in the open folder, then in all folders, ordered by date [S15.6-1]", async () => {
    const { page, context, faults } = await openPage(browser);
    await signIn(page, service.base);
    const asked: Array<URLSearchParams> = [];
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith("/api/search")) asked.push(searchParams);
    });
    for (const [search, expected] of [
      ["from:priya", "da"],
      ["from:priya in:projects", "d"],
      ["has:attachment from:carl", "c"],
      ["is:unread subject:qz-b", "b"],
      ["harvest -late", "db"],
      ['"ripe red apples"', "b"],
    ] as const) {
      await toInbox(page);
      await find(page, search, expected);
    }
    await toInbox(page);
    asked.length = 0;
    await find(page, "harvest", "dba");
    expect(asked.slice(0, 2).map((query) => [query.get("scope"), query.get("folder")])).toEqual([
      ["headers", "inbox"],
      ["all", null],
    ]);
    await expectAccessible(page, "results");
    await page.getByRole("link", { name: "Unread", exact: true }).click();
    await page.getByRole("status").getByText("newest first").waitFor();
    expect(faults.filter((fault) => !/401/.test(fault))).toEqual([]);
    await context.close();
  });

  test("shows the matches in headers while bodies are searched, and can be stopped and resumed [S15.6-1]", async () => {
    const { page, context } = await openPage(browser);
    await signIn(page, service.base);
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/api\/search\?.*scope=all/, async (route) => {
      await released;
      await route.continue().catch(() => {});
    });
    await box(page).fill("harvest");
    await box(page).press("Enter");
    await expect.poll(() => hits(page)).toBe("b");
    await page.getByRole("progressbar").waitFor();
    await expectAccessible(page, "a search under way");
    const aborted = page.waitForEvent("requestfailed");
    await page.getByRole("button", { name: "Stop" }).click();
    expect((await aborted).url()).toContain("scope=all");
    await page.getByRole("status").getByText("Searched senders, recipients and subjects in Inbox only.").waitFor();
    release();
    await page.getByRole("button", { name: "Search everything" }).click();
    await expect.poll(() => hits(page)).toBe("dba");
    await context.close();
  });

  test("shows the parts as chips, and names an unknown operator [S15.6-2]", async () => {
    const { page, context } = await openPage(browser);
    await signIn(page, service.base);
    await find(page, "harvest from:ann", "b");
    await page.getByRole("button", { name: "Remove from:ann" }).click();
    await expect.poll(() => hits(page)).toBe("dba");
    await box(page).fill("colour:red harvest");
    await box(page).press("Enter");
    await page.getByRole("alert").getByText("colour: is not an operator").waitFor();
    await expectAccessible(page, "an unknown operator");
    await page.getByRole("button", { name: "Remove colour:red" }).click();
    await expect.poll(() => hits(page)).toBe("dba");
    await context.close();
  });

  test("completes operators and values by keys, and offers the last searches, until the sign-out [S15.6-2]", async () => {
    const { page, context } = await openPage(browser);
    await signIn(page, service.base);
    await box(page).click();
    await box(page).pressSequentially("fr");
    await page.getByRole("option", { name: /^from:/ }).waitFor();
    await box(page).press("ArrowDown");
    await box(page).press("Enter");
    await box(page).pressSequentially("priy");
    await page.getByRole("option", { name: /^from:priya@x.test/ }).waitFor();
    await expectAccessible(page, "completions");
    await box(page).press("ArrowDown");
    expect(await box(page).getAttribute("aria-activedescendant")).toBeTruthy();
    await box(page).press("Enter");
    expect(await box(page).inputValue()).toBe("from:priya@x.test ");
    await box(page).press("Enter");
    await expect.poll(() => hits(page)).toBe("da");
    await toInbox(page);
    await box(page).click();
    await page.getByRole("option", { name: /^from:priya@x.test/ }).click();
    await expect.poll(() => hits(page)).toBe("da");
    const kept = () => page.evaluate(() => Object.keys(localStorage).filter((name) => name.includes("searches")));
    expect(await kept()).toHaveLength(1);
    await page.getByRole("button", { name: /^Account/ }).click();
    await page
      .getByRole("menuitem", { name: /^Sign out/ })
      .first()
      .click();
    await page.getByLabel("Password").waitFor();
    expect(await kept()).toEqual([]);
    await context.close();
  });

  test("a form has the same criteria [S15.6-2]", async () => {
    const { page, context } = await openPage(browser);
    await signIn(page, service.base);
    await box(page).fill("harvest -late");
    await page.getByRole("button", { name: "More search options" }).click();
    const form = page.getByRole("dialog", { name: "Search options" });
    await expectAccessible(page, "the search options");
    expect(await form.getByLabel("Does not have").inputValue()).toBe("late");
    await form.getByLabel("From").fill("priya");
    await form.getByRole("button", { name: "Search" }).click();
    await expect.poll(() => hits(page)).toBe("d");
    expect(await box(page).inputValue()).toBe("from:priya harvest -late");
    await context.close();
  });

  test("Escape returns from the results to the message that was open before [S15.6-3]", async () => {
    const { page, context } = await openPage(browser);
    await signIn(page, service.base);
    await page.getByRole("link", { name: /^Projects/ }).click();
    await rows(page).filter({ hasText: "qz-d" }).click();
    await page.locator(".message h1", { hasText: "qz-d" }).waitFor();
    const before = page.url();
    for (const isInBox of [true, false]) {
      await find(page, "from:priya", "da");
      await rows(page).first().click();
      await page.locator(".message h1").waitFor();
      await (isInBox ? box(page).press("Escape") : page.keyboard.press("Escape"));
      await page.waitForURL(before);
      await page.locator(".message h1", { hasText: "qz-d" }).waitFor();
    }
    await context.close();
  });
});
