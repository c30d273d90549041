import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, launch, openPage, signIn } from "./chromium.ts";
import { labelsOf, rowOf, send, subjectsIn, told } from "./mail-actors.ts";
import { describeOnDovecot, type World } from "./worlds.ts";

let browser: Browser;
let service: World;

describeOnDovecot("the folders of the console", (start) => {
  beforeAll(async () => {
    [browser, service] = await Promise.all([launch(), start()]);
  });

  afterAll(() => Promise.all([browser?.close(), service?.stop()]));

  test("messages and folders are dragged onto a folder, and hidden subfolders are remembered [S15.2-1] [S15.2-2]", async () => {
    await send(service.base, "To be dragged");
    const { page, context } = await openPage(browser);
    await signIn(page, service.base);
    const nav = page.getByRole("navigation", { name: "Mailbox" });
    const folder = (name: string) => nav.getByRole("link", { name: new RegExp(`^${name}`) });
    await rowOf(page, "To be dragged").dragTo(folder("Projects"));
    await told(page, "Moved to Projects.");
    await expect.poll(() => subjectsIn(service.base, "Projects")).toContain("To be dragged");

    await page.goto(`${service.base}/settings/folders`);
    await page.getByRole("button", { name: "New folder" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Loose");
    await page.getByRole("button", { name: "Create folder" }).click();
    await folder("Loose").dragTo(folder("Projects"));
    await told(page, "Folder Loose moved into Projects.");
    const knob = nav.getByRole("button", { name: "Folders in Projects" });
    await knob.click();
    await expect.poll(() => folder("Loose").count()).toBe(0);
    await page.reload();
    await folder("Projects").waitFor();
    await page.getByRole("heading", { name: "Folders", exact: true }).waitFor();
    expect(await knob.getAttribute("aria-expanded")).toBe("false");
    expect(await folder("Loose").count()).toBe(0);
    await expectAccessible(page, "collapsed folders");
    await knob.click();

    await folder("Loose").press("ContextMenu");
    await page.getByRole("menuitem", { name: "Rename or move" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).press("Enter");
    await folder("Loose").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Rename or move" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Bound");
    await page.getByRole("button", { name: "Save" }).click();
    await folder("Bound").waitFor();
    await context.close();
  });

  test("e asks before it creates the folder Archive [S15.2-3]", async () => {
    await send(service.base, "To be archived");
    const { page, context } = await openPage(browser);
    await signIn(page, service.base);
    await rowOf(page, "To be archived").focus();
    await page.keyboard.press("e");
    await page.getByRole("button", { name: "Cancel" }).click();
    expect(await rowOf(page, "To be archived").count()).toBe(1);
    await rowOf(page, "To be archived").focus();
    await page.keyboard.press("e");
    await page.getByRole("button", { name: "Create Archive" }).click();
    await told(page, "Moved to Archive.");
    expect(await subjectsIn(service.base, "Archive")).toEqual(["To be archived"]);
    await context.close();
  });

  test("new mail raises one notification, if the user has chosen that [S15.3-1]", async () => {
    const { page, context } = await openPage(browser);
    await context.grantPermissions(["notifications"]);
    await page.addInitScript(() => {
      const raised: Array<string> = [];
      Object.assign(window, { raised });
      const note = class extends EventTarget {
        static permission = "granted";
        static requestPermission = async () => "granted";
        constructor(title: string, { body }: { body: string }) {
          super();
          raised.push(`${title}: ${body}`);
        }
      };
      Object.assign(window, { Notification: note });
    });
    const raised = () => page.evaluate(() => Reflect.get(window, "raised") as ReadonlyArray<string>);
    await signIn(page, service.base);
    await page.evaluate(() => Object.defineProperty(document, "hasFocus", { value: () => false }));
    await send(service.base, "Not announced");
    await rowOf(page, "Not announced").waitFor();
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("link", { name: "Reading" }).click();
    await page.getByText("Show a notification for new mail").click();
    await send(service.base, "Announced");
    await expect.poll(raised, { timeout: 15_000 }).toHaveLength(1);
    expect((await raised())[0]).toContain("Announced");
    await context.close();
  });

  test("labels are added and removed by a menu and a key, and shown in the row [S15.2-4]", async () => {
    await send(service.base, "To be labelled");
    const { page, context, faults } = await openPage(browser);
    await signIn(page, service.base);
    await rowOf(page, "To be labelled").click();
    await page.getByRole("heading", { name: "To be labelled" }).waitFor();
    await page.keyboard.press("l");
    await page.getByRole("menuitem", { name: "New label" }).press("Enter");
    await page.getByRole("textbox", { name: "Name" }).press("Enter");
    await page.getByText("Enter a name.").waitFor();
    await page.getByRole("textbox", { name: "Name" }).fill("Later");
    await expectAccessible(page, "a new label");
    await page.keyboard.press("Enter");
    await rowOf(page, "To be labelled").getByText("Later").waitFor();
    const labels = () => labelsOf(service.base, "To be labelled");
    await expect.poll(labels).toEqual(["Later"]);

    await page.getByRole("button", { name: "Label", exact: true }).press("Enter");
    const later = page.getByRole("menuitemcheckbox", { name: "Later" });
    await later.waitFor();
    expect(await later.getAttribute("aria-checked")).toBe("true");
    await expectAccessible(page, "the menu of labels");
    await later.press("Enter");
    await expect.poll(labels).toEqual([]);
    await expect.poll(() => rowOf(page, "To be labelled").getByText("Later").count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });

  test("lists are compact if the user has chosen that, also after a reload [S15.2-5]", async () => {
    const { page, context } = await openPage(browser);
    await signIn(page, service.base);
    const height = async () => (await page.locator(".row-item").nth(1).boundingBox())!.height;
    const distance = async () =>
      (await page.locator(".row-item").nth(2).boundingBox())!.y -
      (await page.locator(".row-item").nth(1).boundingBox())!.y;
    const comfortable = await height();
    await page.getByRole("button", { name: /^Account/ }).press("Enter");
    await page.getByRole("menuitemradio", { name: "Compact" }).press("Enter");
    await expect.poll(height).toBeLessThan(comfortable * 0.75);
    const compact = await height();
    expect(await distance()).toBe(compact);
    await page.reload();
    await page.locator(".row").first().waitFor();
    expect(await height()).toBe(compact);
    await expectAccessible(page, "a compact list");
    await context.close();
  });

  test("on a phone, the actions on a message are in one row and in a menu", async () => {
    await send(service.base, "Read on a phone");
    const { page, context, faults } = await openPage(browser, { viewport: { width: 320, height: 700 } });
    await signIn(page, service.base);
    await rowOf(page, "Read on a phone").click();
    await page.getByRole("heading", { name: "Read on a phone" }).waitFor();
    const tools = page.locator(".message-tools").locator("a, button");
    const boxes = await Promise.all((await tools.all()).map((one) => one.boundingBox()));
    expect(new Set(boxes.map((box) => box!.y)).size).toBe(1);
    const more = page.getByRole("button", { name: "More actions" });
    const choose = async (name: string): Promise<void> => {
      await more.press("Enter");
      await page.getByRole("menuitem", { name }).press("Enter");
    };
    await choose("Label");
    await page.getByRole("menuitem", { name: "New label" }).press("Enter");
    await page.getByRole("textbox", { name: "Name" }).fill("Phone");
    await page.keyboard.press("Enter");
    await expect.poll(() => labelsOf(service.base, "Read on a phone")).toEqual(["Phone"]);
    await choose("Label");
    await page.getByRole("menuitemcheckbox", { name: "Phone" }).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => more.evaluate((one) => one === document.activeElement)).toBe(true);
    await choose("Move to a folder");
    await page.getByRole("menuitem", { name: "Projects" }).press("Enter");
    await expect.poll(() => subjectsIn(service.base, "Projects")).toContain("Read on a phone");
    expect(faults).toEqual([]);
    await context.close();
  });
});
