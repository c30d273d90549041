import { nightly } from "@postern/testkit";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch, openPage, signIn } from "./chromium.ts";
import { focused, listed, rowOf, rows, send, told, walked } from "./mail-actors.ts";
import { describeInSandbox, describeOnDovecot, type World } from "./worlds.ts";

let browser: Browser;
let service: World;

for (const describeThere of [describeOnDovecot, ...nightly([describeInSandbox])])
  describeThere("a mailbox in the browser", (start) => {
    beforeAll(async () => {
      [browser, service] = await Promise.all([launch(), start()]);
    });

    afterAll(async () => {
      await Promise.all([browser?.close(), service?.stop()]);
    });

    test("signs in after a refused attempt, and signs out", async () => {
      const { page, context, origins } = await openPage(browser);
      await page.goto(`${service.base}/settings/sessions`);
      await page.getByLabel("E-mail").fill("demo@postern.test");
      await page.getByLabel("Password").fill("wrong");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByText("E-mail address and password do not match").waitFor();
      await page.getByLabel("Password").fill("demo");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Sessions" }).waitFor();
      await page.getByText("this session").waitFor();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      expect(await context.cookies()).toEqual([]);
      expect([...origins]).toEqual([service.base]);
      await context.close();
    });

    test("a listing of many pages keeps its order while mail arrives, and shows an old message after a reload", async () => {
      const { page, context, faults } = await openPage(browser);
      const live = page.waitForResponse((response) => new URL(response.url()).pathname === "/api/events");
      await signIn(page, service.base);
      await live;
      const title = page.locator(".mail-title p", { hasText: /\d+ messages/ });
      const total = Number(/(\d+) messages/.exec(await title.innerText())?.[1]);
      expect(total).toBeGreaterThan(100);
      await send(service.base, "Fresh from the harbour");
      await rowOf(page, "Fresh from the harbour").waitFor();
      expect(await rows(page).first().innerText()).toContain("Fresh from the harbour");
      await page.getByText(`${total + 1} messages`).waitFor();
      const ids = await walked(page);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toHaveLength(total + 1);

      const deep = ids[90];
      const row = page.locator(`[data-message="${deep}"]`);
      await page.locator(".mail-rows").evaluate((list, all) => {
        list.scrollTop = (list.firstElementChild!.clientHeight / all) * 88;
      }, ids.length);
      await row.click();
      await page.locator("article").waitFor();
      await page.reload();
      await page.locator("article").waitFor();
      const open = page.locator(".row.here");
      await open.waitFor();
      expect(await open.getAttribute("data-message")).toBe(deep);
      await expect.poll(async () => (await open.boundingBox())!.y).toBeLessThan(860);
      expect((await open.boundingBox())!.y).toBeGreaterThan(0);
      expect(faults).toEqual([]);
      await context.close();
    });

    test("a message is read, flagged, moved, restored, deleted and found by keyboard alone", async () => {
      const subject = "A walk through the keys";
      await send(service.base, subject);
      const { page, context, faults } = await openPage(browser);
      await signIn(page, service.base);
      const row = rowOf(page, subject);
      await row.waitFor();
      await page.keyboard.press("j");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: subject }).waitFor();
      await page.getByRole("region", { name: "Message" }).getByText(`About ${subject}`).waitFor();
      await page.waitForFunction(() => document.querySelector(".row.here.unread") === null);
      await page.keyboard.press("s");
      await page.getByRole("button", { name: "Remove flag" }).waitFor();
      await row.getByLabel("Flagged").waitFor();
      await page.keyboard.press("u");
      await expect.poll(() => focused(page)).toContain(subject);
      await page.keyboard.press("Enter");
      await page.locator("article").waitFor();
      await page.keyboard.press("v");
      await page.getByRole("menuitem", { name: "Projects" }).waitFor();
      await page.keyboard.type("Projects");
      await page.keyboard.press("Enter");
      await told(page, "Moved to Projects.");
      await row.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Undo" }).click();
      await row.waitFor();
      await row.click();
      await page.getByRole("heading", { name: subject }).waitFor();
      await page.keyboard.press("#");
      await told(page, "Moved to Trash.");
      await page.keyboard.press("/");
      await page.keyboard.type("through the keys");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Search results for" }).waitFor();
      // The message is in Trash. The search begins in Inbox, and continues in all folders.
      await row.waitFor();
      expect(faults).toEqual([]);
      await context.close();
    });

    test("moving or deleting an old message opens the next one, and Undo returns it to its place", async () => {
      const { page, context, faults } = await openPage(browser);
      await signIn(page, service.base);
      const before = await listed(page);
      const [subject, next] = [before[5]!, before[6]!];
      const heading = () => page.evaluate(() => document.activeElement?.closest("article h1")?.textContent ?? "");
      const undo = async (): Promise<void> => {
        // The next message is open, and the current row is its row.
        await expect.poll(heading).not.toBe("");
        expect(next.startsWith(await heading())).toBe(true);
        await expect.poll(() => listed(page)).not.toContain(subject);
        await page.getByRole("button", { name: "Undo" }).click();
        await expect.poll(() => listed(page)).toEqual(before);
        await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
        await page.getByRole("button", { name: "Dismiss" }).waitFor({ state: "detached" });
      };
      await rows(page).nth(5).click();
      await page.locator("article").waitFor();
      await page.getByRole("button", { name: "Delete", exact: true }).click();
      await told(page, "Moved to Trash.");
      await undo();
      await rows(page).nth(5).click();
      await page.locator("article").waitFor();
      await page.getByRole("button", { name: "Move to a folder" }).click();
      await page.getByRole("menuitem", { name: "Projects" }).click();
      await told(page, "Moved to Projects.");
      await undo();
      expect(faults).toEqual([]);
      await context.close();
    });

    test("a message in Trash is deleted permanently only after confirmation", async () => {
      const subject = "To be destroyed";
      await send(service.base, subject);
      const { page, context, faults } = await openPage(browser);
      await signIn(page, service.base);
      await rowOf(page, subject).click();
      await page.locator("article").waitFor();
      await page.keyboard.press("#");
      await told(page, "Moved to Trash.");
      await page.getByRole("link", { name: "Trash" }).click();
      await rowOf(page, subject).click();
      await page.getByRole("heading", { name: subject }).waitFor();
      await page.keyboard.press("#");
      const question = page.getByRole("alertdialog", { name: "Delete this message permanently?" });
      await question.getByRole("button", { name: "Cancel" }).click();
      await question.waitFor({ state: "detached" });
      await page.getByRole("heading", { name: subject }).waitFor();
      await page.getByRole("button", { name: "Delete permanently" }).click();
      await question.getByRole("button", { name: "Delete permanently" }).click();
      await told(page, "Deleted permanently.");
      expect(await page.locator(".toast", { hasText: "Deleted permanently." }).getByText("Undo").count()).toBe(0);
      await rowOf(page, subject).waitFor({ state: "detached" });
      await page.reload();
      await page.getByRole("heading", { name: "Trash" }).waitFor();
      await page.locator(".rows, .mail-list .state").waitFor();
      expect(await rowOf(page, subject).count()).toBe(0);
      expect(faults).toEqual([]);
      await context.close();
    });

    test("a folder is created, not renamed to a taken name, renamed, and deleted after its messages are moved", async () => {
      const { page, context } = await openPage(browser);
      await signIn(page, service.base);
      await page.goto(`${service.base}/settings/folders`);
      const make = async (name: string): Promise<void> => {
        await page.getByRole("button", { name: "New folder" }).click();
        await page.getByRole("textbox", { name: "Name" }).fill(name);
        await page.getByRole("button", { name: "Create folder" }).click();
      };
      await make("Harbour");
      await told(page, "Folder Harbour created.");
      await make("harbour");
      await page.getByText("A folder with this name already exists").waitFor();
      expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-invalid"))).toBe("true");
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("button", { name: "Rename or move Harbour" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill("Quay");
      await page.getByRole("button", { name: "Save" }).click();
      await told(page, "Folder Quay saved.");
      await page.getByRole("link", { name: "Quay" }).waitFor();
      await page.getByRole("button", { name: "Delete Quay" }).click();
      await page.getByRole("button", { name: /Move its \d+ messages to/ }).click();
      await page.getByRole("option", { name: "Projects", exact: true }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Delete Quay" }).click();
      await told(page, "Folder Quay deleted");
      await page.getByRole("link", { name: "Quay" }).waitFor({ state: "detached" });
      await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
      await context.close();
    });
  });
