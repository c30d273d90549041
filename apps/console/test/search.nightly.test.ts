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

  const hits = async (page: Page): Promise<string> =>
    (await page.locator(".row-subject").allInnerTexts())
      .flatMap((subject) => /qz-(\w)/.exec(subject)?.[1] ?? "?")
      .toSorted()
      .join("");
  const box = (page: Page) => page.getByRole("searchbox", { name: "Search mail" });
  const find = async (page: Page, search: string, expected: string): Promise<void> => {
    await box(page).fill(search);
    await box(page).press("Enter");
    await expect.poll(() => hits(page), { message: search }).toBe(expected);
  };

  test("finds by operators and phrases, in headers of the open folder first, and says what it does not understand", async () => {
    const { page, context, faults } = await openPage(browser);
    await signIn(page, service.base);
    const asked: Array<string> = [];
    page.on("request", (request) => request.url().includes("/api/search") && asked.push(new URL(request.url()).search));
    for (const [search, expected] of [
      ["from:priya", "ad"],
      ["from:priya in:projects", "d"],
      ["has:attachment from:carl", "c"],
      ["is:unread subject:qz-b", "b"],
      ["harvest from:ann", "b"],
    ] as const) {
      await page.goto(service.base);
      await rows(page).first().waitFor();
      await find(page, search, expected);
    }
    await page.goto(service.base);
    await rows(page).first().waitFor();
    asked.length = 0;
    await find(page, "harvest", "b");
    expect(asked.filter((query) => !/scope=headers/.test(query) || !/folder=/.test(query))).toEqual([]);
    await expectAccessible(page, "results");
    await page.getByRole("link", { name: "Search message text, too" }).click();
    await expect.poll(() => hits(page)).toBe("ab");
    await page.getByRole("link", { name: "Search all folders" }).click();
    await expect.poll(() => hits(page)).toBe("abd");
    await find(page, '"ripe red apples"', "");
    await page.getByRole("link", { name: "Search message text, too" }).click();
    await expect.poll(() => hits(page)).toBe("b");
    await find(page, "colour:red harvest -late", "bd");
    await page.getByRole("status").getByText("colour:red -late").waitFor();
    expect(faults.filter((fault) => !/401/.test(fault))).toEqual([]);
    await context.close();
  });

  test("Escape returns from the results to the message that was open before", async () => {
    const { page, context } = await openPage(browser);
    await signIn(page, service.base);
    await page.getByRole("link", { name: /^Projects/ }).click();
    await rows(page).filter({ hasText: "qz-d" }).click();
    await page.locator(".message h1", { hasText: "qz-d" }).waitFor();
    const before = page.url();
    await find(page, "from:priya", "ad");
    await rows(page).first().click();
    await page.locator(".message h1").waitFor();
    await box(page).press("Escape");
    await page.waitForURL(before);
    await page.locator(".message h1", { hasText: "qz-d" }).waitFor();
    await context.close();
  });
});
