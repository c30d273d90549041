import { describeWithChromium, describeWithDovecot } from "@postern/testkit";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, launch, openPage, signIn } from "./chromium.ts";
import { focused, listed, rowOf, rows, send, walked } from "./mail-actors.ts";
import { startOnDovecot, type World } from "./worlds.ts";

let browser: Browser;
let service: World;

const mail = (subject: string, references: ReadonlyArray<string> = []): string =>
  [
    "From: Ann <ann@example.test>",
    "To: demo@postern.test",
    `Subject: ${subject}`,
    `Message-ID: <${subject.replaceAll(/\W/g, "-")}@example.test>`,
    ...references.map((id) => `References: <${id}@example.test>`),
    "",
    `About ${subject}`,
    "",
  ].join("\r\n");

const MAILS = {
  Talks: [
    mail("Stairs"),
    mail("Doors"),
    mail("Re: Stairs", ["Stairs"]),
    mail("Windows"),
    mail("Re: Re: Stairs", ["Stairs"]),
  ],
};

const toggle = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** The subjects of the rows, without their previews and numbers of messages. */
const subjects = async (page: Page): Promise<ReadonlyArray<string>> =>
  (await listed(page)).map((text) => text.replace(/\s*(?:About|\d).*$/, "").trim());

describeWithDovecot("the order of a list in the browser", () =>
  describeWithChromium("on Dovecot", () => {
    beforeAll(async () => {
      [browser, service] = await Promise.all([launch(), startOnDovecot({}, MAILS)]);
    });

    afterAll(async () => {
      await Promise.all([browser?.close(), service?.stop()]);
    });

    test("a folder shows the oldest message first by keyboard, with every message once, and remembers that", async () => {
      const { page, context, faults } = await openPage(browser);
      const live = page.waitForResponse((response) => new URL(response.url()).pathname === "/api/events");
      await signIn(page, service.base);
      await live;
      const newestFirst = await walked(page);
      await toggle(page, "Oldest first").hover();
      expect(await toggle(page, "Oldest first").getAttribute("title"), "a tooltip").toBe("Oldest first");
      await toggle(page, "Oldest first").focus();
      await page.keyboard.press("Enter");
      await expect
        .poll(async () => (await listed(page, 3)).map((text) => text.slice(0, 8)))
        .toEqual(["Letter 1", "Letter 2", "Letter 3"]);
      expect(await toggle(page, "Oldest first").getAttribute("aria-pressed")).toBe("true");
      expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Oldest first");
      await expectAccessible(page, "the oldest first");
      expect(await walked(page)).toEqual(newestFirst.toReversed());

      await page.locator(".mail-rows").evaluate((list) => list.scrollTo({ top: 0 }));
      await page.keyboard.press("j");
      await expect.poll(() => focused(page)).toMatch(/^Letter 1\b/);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Letter 1", exact: true }).waitFor();
      await page.keyboard.press("j");
      await page.getByRole("heading", { name: "Letter 2", exact: true }).waitFor();
      await page.reload();
      await page.getByRole("heading", { name: "Letter 2", exact: true }).waitFor();
      expect(await page.locator(".row.here").getAttribute("data-row")).toBe("1");

      await send(service.base, "Late news");
      const setSize = () => rows(page).first().locator("..").getAttribute("aria-setsize");
      await expect.poll(setSize).toBe(String(newestFirst.length + 1));
      await page.keyboard.press("u");
      await expect.poll(() => focused(page)).toMatch(/^Letter 2\b/);
      await page.keyboard.press("End");
      await expect.poll(() => focused(page)).toMatch(/^Late news/);
      await page.getByRole("link", { name: "Unread", exact: true }).click();
      await expect.poll(() => subjects(page)).toContain("Late news");

      // The results of a search are ordered by date, the newest first.
      await page.goto(`${service.base}/search?q=Letter`);
      await rows(page).first().waitFor();
      expect(await toggle(page, "Oldest first").count()).toBe(0);
      await expect.poll(async () => (await listed(page, 1))[0]).toMatch(/^Letter 130\b/);
      expect(faults).toEqual([]);
      await context.close();
    });

    test("conversations are grouped by keyboard, opened, and ordered by their latest message", async () => {
      const { page, context, faults } = await openPage(browser);
      await signIn(page, service.base);
      await page.getByRole("link", { name: /^Talks/ }).click();
      await rowOf(page, "Windows").waitFor();
      await toggle(page, "Group by conversation").focus();
      await page.keyboard.press("Space");
      await expect.poll(() => subjects(page)).toEqual(["Re: Re: Stairs", "Windows", "Doors"]);
      await expectAccessible(page, "conversations");
      await toggle(page, "Oldest first").focus();
      await page.keyboard.press("Space");
      await expect.poll(() => subjects(page)).toEqual(["Doors", "Windows", "Re: Re: Stairs"]);
      await page.keyboard.press("j");
      await page.keyboard.press("End");
      await page.keyboard.press("ArrowRight");
      await expect.poll(() => subjects(page)).toEqual(["Doors", "Windows", "Re: Re: Stairs", "Re: Stairs", "Stairs"]);
      await expectAccessible(page, "an open conversation");
      await page.keyboard.press("ArrowLeft");
      await expect.poll(() => subjects(page)).toEqual(["Doors", "Windows", "Re: Re: Stairs"]);
      expect(faults).toEqual([]);
      await context.close();
    });
  }),
);
