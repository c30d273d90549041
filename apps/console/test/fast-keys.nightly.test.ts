import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch, openPage, signIn } from "./chromium.ts";
import { createFolder, listed as listedRows, rowOf, rows, subjectsIn, told } from "./mail-actors.ts";
import { startUpgradedFront } from "./upgraded-front.ts";
import { describeOnDovecot, type World } from "./worlds.ts";

let browser: Browser;
let service: World;
let front: Awaited<ReturnType<typeof startUpgradedFront>>;

const SLOW_MILLIS = 2_000;
const KEY_MILLIS = 90;

/** Returns the subjects of the first rows, without their previews. */
const listed = async (page: Page, count: number): Promise<ReadonlyArray<string>> =>
  (await listedRows(page, count)).map((row) => /^Letter \d+/.exec(row)![0]);

const press = async (page: Page, key: string, times: number): Promise<void> => {
  for (let n = 0; n < times; n++) {
    await page.keyboard.press(key);
    await page.waitForTimeout(KEY_MILLIS);
  }
};

describeOnDovecot("keys before a slow service has answered", (start) => {
  beforeAll(async () => {
    [browser, service] = await Promise.all([launch(), start()]);
    front = await startUpgradedFront(service.base);
    await createFolder(service.base, "Archive");
  });

  afterAll(async () => {
    front?.stop();
    await Promise.all([browser?.close(), service?.stop()]);
  });

  const archived = () => subjectsIn(service.base, "Archive");

  for (const where of ["in the list", "with a message open"]) {
    test(`each key acts on one message, ${where}: the first six are archived, and z restores them`, async () => {
      const { page, context } = await openPage(browser);
      await signIn(page, front.url);
      const before = await listed(page, 8);
      const had = await archived();
      const inbox = await subjectsIn(service.base, "INBOX");
      await rows(page).first().focus();
      if (where !== "in the list") {
        await rows(page).first().click();
        await page.getByRole("link", { name: "Reply", exact: true }).waitFor();
      } else {
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("ArrowUp");
      }
      front.state.delayMillis = SLOW_MILLIS;
      await press(page, "e", 6);
      await rowOf(page, before[0]!).waitFor({ state: "detached" });
      expect(await listed(page, 2)).toEqual(before.slice(6));
      await told(page, "Moved to Archive");
      front.state.delayMillis = 0;
      await expect
        .poll(() => archived().then((all) => all.filter((one) => !had.includes(one)).toSorted()))
        .toEqual(before.slice(0, 6).toSorted());
      await press(page, "z", 6);
      await expect.poll(archived).toEqual(had);
      expect((await subjectsIn(service.base, "INBOX")).toSorted()).toEqual(inbox.toSorted());
      await context.close();
    });
  }

  test("z undoes only the action whose answer is still awaited", async () => {
    const { page, context } = await openPage(browser);
    await signIn(page, front.url);
    const before = await listed(page, 3);
    const had = await archived();
    await rows(page).first().click();
    await page.getByRole("link", { name: "Reply", exact: true }).waitFor();
    await page.keyboard.press("e");
    await told(page, "Moved to Archive");
    front.state.delayMillis = SLOW_MILLIS;
    await page.keyboard.press("e");
    await page.waitForTimeout(KEY_MILLIS);
    await page.keyboard.press("z");
    front.state.delayMillis = 0;
    await rowOf(page, before[1]!).waitFor();
    await expect.poll(archived).toHaveLength(had.length + 1);
    expect(await archived()).toContain(before[0]);
    expect((await listed(page, 1))[0]).toBe(before[1]);
    await context.close();
  });

  test("r answers the requested message, even before it is loaded", async () => {
    const { page, context } = await openPage(browser);
    await signIn(page, front.url);
    const before = await listed(page, 9);
    await rows(page).first().click();
    await page.getByRole("link", { name: "Reply", exact: true }).waitFor();
    front.state.delayMillis = SLOW_MILLIS;
    await press(page, "j", 8);
    await page.keyboard.press("r");
    await page.waitForURL("**/compose**");
    front.state.delayMillis = 0;
    await expect.poll(() => page.getByLabel("Subject").inputValue()).toBe(`Re: ${before[8]}`);
    await context.close();
  });
});
