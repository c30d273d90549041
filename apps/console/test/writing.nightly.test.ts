import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, launch, openPage, signIn } from "./chromium.ts";
import { drafts, entered, hide, savedNow, sendIt, text, to, written } from "./compose-actors.ts";
import { rowOf, send, told } from "./mail-actors.ts";
import { describeOnDovecot, type World } from "./worlds.ts";

let browser: Browser;
let service: World;
let folder: string;

const TEXTS: Readonly<Record<string, string>> = {
  "plan.txt": "first the door, then the wall",
  "costs.csv": "door,40\nwall,90\n",
};

const attach = async (page: Page, ...names: ReadonlyArray<string>): Promise<void> => {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach files" }).click();
  await (await chooser).setFiles(names.map((name) => join(folder, name)));
  for (const name of names) await page.locator(".tray-file", { hasText: name }).getByText("ready").waitFor();
};

describeOnDovecot("writing in the browser", (start) => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "files-"));
    for (const [name, contents] of Object.entries(TEXTS)) await writeFile(join(folder, name), contents);
    [browser, service] = await Promise.all([launch(), start({ SENDER_ALIASES: "any" })]);
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), service?.stop(), rm(folder, { recursive: true })]);
  });

  test("a draft with files is saved, resumed, changed in two browsers, sent, answered and forwarded", async () => {
    const { page, context, faults } = await openPage(browser);
    await signIn(page, service.base);
    await page.keyboard.press("c");
    await to(page).fill("demo@postern.test");
    await page.getByLabel("Subject").fill("The plan");
    await text(page).fill("It is attached.");
    await page.getByText("At most 20 files, each up to 25 MB.").waitFor();
    await attach(page, ...Object.keys(TEXTS));
    // The draft is not saved yet. The browser keeps it when the page is reloaded.
    await page.reload();
    expect(await page.getByLabel("Subject").inputValue()).toBe("The plan");
    await expect.poll(() => page.locator(".tray-file .tag.good").count()).toBe(2);
    await savedNow(page);

    // Another browser shows the draft in Drafts.
    const other = await openPage(browser);
    await signIn(other.page, service.base);
    await other.page.getByRole("link", { name: "Drafts" }).click();
    await other.page.getByRole("link", { name: "The plan" }).click();
    await expect.poll(() => written(other.page)).toBe("It is attached.");
    expect(await other.page.locator(".tray-file .tag.good").count()).toBe(2);
    await text(other.page).fill("It is attached. Read it first.");
    await savedNow(other.page);

    // The first browser also changed the draft. Both versions stay until the user chooses one.
    await text(page).fill("It is attached, twice.");
    await hide(page);
    await page.getByText("This draft was changed elsewhere").waitFor();
    await page.getByText("Show the other version").click();
    await page.getByText("It is attached. Read it first.").waitFor();
    await expectAccessible(page, "a draft that was changed elsewhere");
    await page.getByRole("button", { name: "Keep both" }).click();
    await page.getByText("Saved in Drafts").waitFor();
    await page.goto(`${service.base}/mail/drafts`);
    await expect.poll(() => drafts(page, "The plan").count()).toBe(2);
    await expectAccessible(page, "drafts");
    await page.getByRole("button", { name: "Discard The plan" }).first().click();
    await expect.poll(() => drafts(page, "The plan").count()).toBe(1);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => drafts(page, "The plan").count()).toBe(2);
    await other.context.close();
    await drafts(page, "The plan").getByRole("link").first().click();
    expect(await written(page)).toBe("It is attached, twice.");
    await sendIt(page);
    await told(page, "Sent.");
    await page.getByRole("link", { name: "Outbox" }).click();
    await page.locator(".outgoing", { hasText: "The plan" }).getByText("sent", { exact: true }).waitFor();

    await page.goto(`${service.base}/mail/inbox`);
    await rowOf(page, "The plan").first().click();
    for (const [name, contents] of Object.entries(TEXTS)) {
      const download = page.waitForEvent("download");
      await page.getByRole("link", { name }).click();
      expect(await readFile(await (await download).path(), "utf8")).toBe(contents);
    }
    await page.keyboard.press("r");
    await page.getByRole("heading", { name: "Reply" }).waitFor();
    expect(await page.getByLabel("Subject").inputValue()).toBe("Re: The plan");
    expect(await page.locator(".rich-text blockquote").innerText()).toContain("It is attached, twice.");
    await attach(page, "costs.csv");
    await sendIt(page);
    await told(page, "Sent.");
    const answer = rowOf(page, "Re: The plan").first();
    await answer.getByLabel("Has attachments").waitFor();

    await rowOf(page, "The plan").last().click();
    await page.getByRole("link", { name: "Forward" }).click();
    await page.getByText("Forwarded attachments: plan.txt, costs.csv").waitFor();
    await to(page).fill("no address");
    await sendIt(page);
    await page.getByText("No e-mail address: no address").waitFor();
    expect(await to(page).evaluate((field) => field === document.activeElement)).toBe(true);
    await to(page).press("Backspace");
    await to(page).fill("friend@postern.test");
    await sendIt(page);
    await told(page, "Sent.");
    expect(faults.filter((fault) => !/status of (400|409)/.test(fault))).toEqual([]);
    await context.close();
  });

  test("a reply to the user's own message goes to its recipients", async () => {
    const { page, context, faults } = await openPage(browser);
    await signIn(page, service.base);
    await page.keyboard.press("c");
    await to(page).fill("friend@postern.test");
    await page.getByRole("button", { name: "Add Cc or Bcc" }).click();
    await page.getByLabel("Cc", { exact: true }).fill("Kim Lee <kim@elsewhere.test>,");
    await page.keyboard.press("Tab");
    await page.getByLabel("Subject").fill("Once more to a friend");
    await text(page).fill("Are you there?");
    await sendIt(page);
    await told(page, "Sent.");
    await page.getByRole("link", { name: "Sent" }).click();
    await rowOf(page, "Once more to a friend").first().click();
    await page.frameLocator(".message-frame").getByText("Are you there?", { exact: true }).waitFor();
    await page.keyboard.press("a");
    await page.getByRole("heading", { name: "Reply to all" }).waitFor();
    expect(await entered(page, "To")).toEqual(["friend@postern.test"]);
    expect(await entered(page, "Cc")).toEqual(["Kim Lee <kim@elsewhere.test>"]);
    expect(faults).toEqual([]);
    await context.close();
  });

  test("a sent message can be undone, scheduled, and cancelled in the outbox", async () => {
    const { page, context, faults } = await openPage(browser);
    await signIn(page, service.base);
    await page.evaluate(() => localStorage.setItem("postern-undo-seconds", "30"));
    await page.keyboard.press("c");
    await to(page).fill("friend@postern.test");
    await page.getByLabel("Subject").fill("Too early");
    await text(page).fill("Not yet.");
    await page.keyboard.press("Control+Enter");
    await told(page, "Sending…");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("heading", { name: "Draft" }).waitFor();
    expect(await written(page)).toBe("Not yet.");

    await page.getByRole("button", { name: "Send later" }).press("Enter");
    await page.getByRole("menuitem", { name: "Choose a time…" }).press("Enter");
    await page.getByLabel("Send at").fill("2020-01-01T10:00");
    await page.getByRole("button", { name: "Schedule" }).click();
    await page.getByText("Choose a time in the future.").waitFor();
    await expectAccessible(page, "sending later");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Send later" }).click();
    await page.getByRole("menuitem", { name: "Tomorrow morning" }).click();
    await told(page, "Scheduled for");
    await page.getByRole("link", { name: "Outbox" }).click();
    const scheduled = page.locator(".outgoing", { hasText: "Scheduled for" });
    await scheduled.getByRole("button", { name: "Cancel sending" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel sending" }).click();
    await scheduled.waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Drafts" }).click();
    await drafts(page, "Too early").waitFor();
    expect(await drafts(page, "Too early").getByText("being sent").count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });

  test("senders have names and signatures, and one is chosen for a message", async () => {
    const { page, context, faults } = await openPage(browser);
    await send(service.base, "From a friend");
    await signIn(page, service.base);
    await rowOf(page, "From a friend").waitFor();
    await page.goto(`${service.base}/settings/writing`);
    await page.getByRole("button", { name: "Change demo@postern.test" }).click();
    await page.getByLabel("Name").fill("Robin Demo");
    await page.getByLabel("Signature").fill("Robin");
    await page.getByRole("button", { name: "Save" }).click();
    await told(page, "Sender saved.");
    await page.getByRole("button", { name: "Add sender" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Enter an address.").waitFor();
    await page.getByLabel("Address").fill("sales@postern.test");
    await page.getByLabel("Name").fill("Sales");
    await page.getByLabel("Signature").fill("The sales team");
    await expectAccessible(page, "adding a sender");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Delete sales@postern.test" }).waitFor();
    await expectAccessible(page, "writing settings");

    await page.keyboard.press("c");
    await page.getByRole("button", { name: /From/ }).filter({ hasText: "Robin Demo <demo@postern.test>" }).waitFor();
    expect(await written(page)).toContain("--\nRobin");
    await page.getByRole("button", { name: /From/ }).press("ArrowDown");
    await page.getByRole("option", { name: "Sales <sales@postern.test>" }).press("Enter");
    expect(await written(page)).toContain("--\nThe sales team");
    // After a few letters, the field proposes the address of a person whose mail was listed.
    await to(page).pressSequentially("frie");
    await page.getByRole("option", { name: "friend@postern.test" }).waitFor();
    await expectAccessible(page, "completing a recipient");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await to(page).fill("demo@postern.test,");
    expect(await entered(page, "To")).toEqual([expect.stringContaining("friend@postern.test"), "demo@postern.test"]);
    await page.getByLabel("Subject").fill("From the sales team");
    await sendIt(page);
    await told(page, "Sent.");
    await page.goto(`${service.base}/mail/inbox`);
    await rowOf(page, "From the sales team").getByText("Sales", { exact: true }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});
