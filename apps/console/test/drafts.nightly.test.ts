import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openConversation } from "@postern/testkit";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, launch, openPage, signIn } from "./chromium.ts";
import { drafts, hide, savedNow, sendIt, text, to, written } from "./compose-actors.ts";
import { rowOf, told } from "./mail-actors.ts";
import { describeOnDovecot, type World } from "./worlds.ts";

const [ME, FRIEND] = ["demo@postern.test", "friend@postern.test"];
const DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

let browser: Browser;
let service: World;
let folder: string;

/** Another mail program opens the newest draft and stores it with other words in its place. */
const editElsewhere = async (words: string, others: string): Promise<void> => {
  const [host, port] = service.servers!.imap.split(":") as [string, string];
  const { command, close } = await openConversation(host, Number(port), ME, "demo");
  await command("SELECT", "Drafts");
  const answer = await command("FETCH * (UID BODY.PEEK[])");
  const [, uid, length] = /UID (\d+) BODY\[\] \{(\d+)\}\r\n/.exec(answer)!;
  const from = answer.indexOf("}\r\n") + 3;
  const raw = answer.slice(from, from + Number(length));
  expect(raw).toContain(words);
  await command("APPEND", "Drafts", "(\\Draft \\Seen)", Buffer.from(raw.replaceAll(words, others), "latin1"));
  await command(`UID STORE ${uid} +FLAGS.SILENT (\\Deleted)`);
  await command(`UID EXPUNGE ${uid}`);
  close();
};

/** Drags a file of this machine over an element and drops it there, as a user does. */
const dropOn = async (page: Page, target: Locator, file: string): Promise<void> => {
  const devtools = await page.context().newCDPSession(page);
  const { x, y, width, height } = (await target.boundingBox())!;
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await devtools.send("Input.dispatchDragEvent", {
      type,
      x: x + width / 2,
      y: y + height / 2,
      data: { items: [], files: [file], dragOperationsMask: 1 },
    });
  }
  await devtools.detach();
};

const compose = async (page: Page, subject: string, words: string): Promise<void> => {
  await page.goto(`${service.base}/compose`);
  await to(page).fill(FRIEND);
  await page.getByLabel("Subject").fill(subject);
  await text(page).fill(words);
};

describeOnDovecot("drafts in the browser", (start) => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "dropped-"));
    await writeFile(join(folder, "plan.txt"), "first the door");
    await writeFile(join(folder, "dot.png"), Buffer.from(DOT, "base64"));
    [browser, service] = await Promise.all([launch(), start()]);
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), service?.stop(), rm(folder, { recursive: true })]);
  });

  test("a draft that another mail program edits at the same time is shown in both versions, and both are kept", async () => {
    const { page, context, faults } = await openPage(browser);
    await signIn(page, service.base);
    await compose(page, "Both sides", "Written here.");
    await savedNow(page);
    await editElsewhere("Written here.", "Written elsewhere.");
    await text(page).fill("Written here. And more.");
    await hide(page);
    await page.getByText("This draft was changed elsewhere").waitFor();
    expect(await written(page)).toBe("Written here. And more.");
    await page.getByText("Show the other version").click();
    await page.locator(".other-text", { hasText: "Written elsewhere." }).waitFor();
    await expectAccessible(page, "a draft that another mail program changed");
    await page.getByRole("button", { name: "Keep both" }).click();
    await page.getByText("Saved in Drafts").waitFor();
    await page.goto(`${service.base}/mail/drafts`);
    await expect.poll(() => drafts(page, "Both sides").count()).toBe(2);
    const texts: Array<string> = [];
    for (const n of [0, 1]) {
      await drafts(page, "Both sides").nth(n).getByRole("link").click();
      await text(page).waitFor();
      texts.push(await written(page));
      await page.goto(`${service.base}/mail/drafts`);
      await expect.poll(() => drafts(page, "Both sides").count()).toBe(2);
    }
    expect(texts.toSorted()).toEqual(["Written elsewhere.", "Written here. And more."]);
    expect(faults.filter((fault) => !/status of 409/.test(fault))).toEqual([]);
    await context.close();
  });

  test("a dropped file is attached, and a dropped picture is shown in another browser", async () => {
    const { page, context, faults } = await openPage(browser);
    await signIn(page, service.base);
    await compose(page, "Dropped", "See the dot.");
    await dropOn(page, page.locator(".drop"), join(folder, "plan.txt"));
    await page.locator(".tray-file", { hasText: "plan.txt" }).getByText("ready").waitFor();
    const uploaded = page.waitForResponse((answer) => answer.url().endsWith("/api/uploads") && answer.ok());
    await dropOn(page, text(page), join(folder, "dot.png"));
    await text(page).locator("img[src^='data:image/png']").waitFor();
    await uploaded;
    await savedNow(page);

    const other = await openPage(browser);
    await signIn(other.page, service.base);
    await other.page.goto(`${service.base}/mail/drafts`);
    await drafts(other.page, "Dropped").getByRole("link").click();
    await text(other.page).locator("img[src^='data:image/png']").waitFor();
    await expect
      .poll(() =>
        text(other.page)
          .locator("img")
          .evaluate((one: HTMLImageElement) => one.naturalWidth),
      )
      .toBe(1);
    expect(await other.page.locator(".tray-file", { hasText: "plan.txt" }).count()).toBe(1);
    expect([...faults, ...other.faults]).toEqual([]);
    await Promise.all([context.close(), other.context.close()]);
  });

  test("a sent message is cancelled after its tab was closed and reopened", async () => {
    const { page, context } = await openPage(browser);
    await signIn(page, service.base);
    await page.evaluate(() => localStorage.setItem("postern-undo-seconds", "30"));
    await compose(page, "Closed too early", "Not yet.");
    await sendIt(page);
    await told(page, "Sending…");
    await page.close();
    const again = await context.newPage();
    await again.goto(`${service.base}/outbox`);
    const waiting = again.locator(".outgoing", { hasText: "Closed too early" });
    await waiting.getByRole("button", { name: "Cancel sending" }).click();
    await again.getByRole("alertdialog").getByRole("button", { name: "Cancel sending" }).click();
    await waiting.getByText("cancelled", { exact: true }).first().waitFor();
    await again.goto(`${service.base}/mail/drafts`);
    await drafts(again, "Closed too early").getByRole("link").click();
    await text(again).waitFor();
    expect(await written(again)).toBe("Not yet.");
    await text(again).fill("Now it is right.");
    await again.evaluate(() => localStorage.setItem("postern-undo-seconds", "0"));
    await sendIt(again);
    await told(again, "Sent.");
    await context.close();

    const friend = await openPage(browser);
    await signIn(friend.page, service.base, FRIEND);
    await expect.poll(() => rowOf(friend.page, "Closed too early").count()).toBe(1);
    await rowOf(friend.page, "Closed too early").click();
    await friend.page.frameLocator(".message-frame").getByText("Now it is right.", { exact: true }).waitFor();
    await friend.context.close();
  });
});
