import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeWithChromium } from "@postern/testkit";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch, openPage, signIn } from "./chromium.ts";
import { startService } from "./service.ts";

let browser: Browser;
let service: Awaited<ReturnType<typeof startService>>;

const rows = (page: Page) => page.locator(".row");
const told = (page: Page, text: string) => page.locator(".toast", { hasText: text }).first().waitFor();

/** Sends a message from the other demo account, by the API. */
const send = async (subject: string, more: object = {}): Promise<void> => {
  const json = { "content-type": "application/json" };
  const login = await fetch(`${service.base}/api/auth/mobile-login`, {
    method: "POST",
    headers: json,
    body: JSON.stringify({ email: "friend@postern.test", password: "demo" }),
  });
  const { token } = (await login.json()) as { readonly token: string };
  const sent = await fetch(`${service.base}/api/send`, {
    method: "POST",
    headers: { ...json, authorization: `Bearer ${token}` },
    body: JSON.stringify({ to: "demo@postern.test", subject, text: `About ${subject}`, ...more }),
  });
  expect(sent.status).toBe(200);
};

describeWithChromium("a mailbox in the browser", () => {
  beforeAll(async () => {
    [browser, service] = await Promise.all([launch(), startService()]);
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), service?.stop()]);
  });

  test("signing in, refused and then not, and out again", async () => {
    const { page, context, origins } = await openPage(browser);
    await page.goto(`${service.base}/settings/sessions`);
    await page.getByLabel("E-mail").fill("demo@postern.test");
    await page.getByLabel("Password").fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("E-mail and password do not match.").waitFor();
    await page.getByLabel("Password").fill("demo");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Sessions" }).waitFor();
    await page.getByText("this one").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await context.cookies()).toEqual([]);
    expect([...origins]).toEqual([service.base]);
    await context.close();
  });

  test("a listing of many pages stays in order while mail arrives, and shows what arrived", async () => {
    const { page, context, faults } = await openPage(browser);
    const live = page.waitForResponse((response) => response.url().endsWith("/api/events"));
    await signIn(page, service.base);
    await live;
    const total = Number(/(\d+) messages/.exec(await page.locator(".mail-title p").innerText())?.[1]);
    expect(total).toBeGreaterThan(100);
    await send("Fresh from the harbour");
    await page.locator(".row", { hasText: "Fresh from the harbour" }).waitFor();
    expect(await rows(page).first().innerText()).toContain("Fresh from the harbour");
    await page.getByText(`${total + 1} messages`).waitFor();
    while ((await page.getByText("That is all.").count()) === 0) {
      const shown = await rows(page).count();
      await rows(page).last().scrollIntoViewIfNeeded();
      await page.waitForFunction(
        (before) => document.querySelectorAll(".row").length > before || /That is all/.test(document.body.innerText),
        shown,
      );
    }
    const ids = await rows(page).evaluateAll((all) => all.map((row) => row.getAttribute("data-message")));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(total + 1);
    expect(faults).toEqual([]);
    await context.close();
  });

  test("a message is read, flagged, moved, taken back, deleted and found, by keys alone", async () => {
    await send("A walk through the keys");
    const { page, context, faults } = await openPage(browser);
    await signIn(page, service.base);
    const row = page.locator(".row", { hasText: "A walk through the keys" });
    await row.waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "A walk through the keys" }).waitFor();
    await page.getByText("About A walk through the keys").waitFor();
    await page.waitForFunction(() => document.querySelector(".row.here.unread") === null);
    await page.keyboard.press("s");
    await page.getByRole("button", { name: "Take the flag away" }).waitFor();
    await row.getByLabel("Flagged").waitFor();
    await page.keyboard.press("v");
    await page.getByRole("menuitem", { name: "Projects" }).waitFor();
    await page.keyboard.type("Projects");
    await page.keyboard.press("Enter");
    await told(page, "Moved to Projects.");
    await row.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await row.waitFor();
    await row.click();
    await page.getByRole("heading", { name: "A walk through the keys" }).waitFor();
    await page.keyboard.press("#");
    await told(page, "Moved to Trash.");
    await page.keyboard.press("/");
    await page.keyboard.type("through the keys");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Found for" }).waitFor();
    await row.waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test("HTML of a message neither runs nor fetches until its reader asks for pictures", async () => {
    const html =
      '<p id="hello">Hello</p><img src="https://tracker.example/p.gif" onerror="top.hacked=1">' +
      '<script>top.hacked = 1</script><a href="javascript:top.hacked=1">press</a>';
    await send("Pictures from afar", { html });
    const { page, context } = await openPage(browser);
    let fetched = 0;
    await context.route("https://tracker.example/**", (route) => {
      fetched++;
      return route.abort();
    });
    await signIn(page, service.base);
    await page.locator(".row", { hasText: "Pictures from afar" }).click();
    const inside = page.frameLocator(".message-frame");
    await inside.getByText("Hello").waitFor();
    // As if the service had let everything through.
    await page.evaluate((hostile) => {
      document.querySelector("iframe")!.contentDocument!.body.insertAdjacentHTML("beforeend", hostile);
    }, html);
    await page.waitForTimeout(300);
    expect(await page.evaluate(() => Reflect.get(window, "hacked"))).toBeUndefined();
    expect(fetched).toBe(0);
    await page.getByRole("button", { name: "Show pictures" }).click();
    await expect.poll(() => fetched).toBe(1);
    expect(await page.evaluate(() => Reflect.get(window, "hacked"))).toBeUndefined();
    await context.close();
  });

  test("a message is written with a file, sent, answered and forwarded with it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "files-"));
    const file = join(folder, "plan.txt");
    await writeFile(file, "first the door, then the wall");
    const { page, context, faults } = await openPage(browser);
    await signIn(page, service.base);
    await page.keyboard.press("c");
    await page.getByLabel("To", { exact: true }).fill("demo@postern.test");
    await page.getByLabel("Subject").fill("The plan");
    await page.getByRole("textbox", { name: "Message" }).fill("It is attached.");
    await page.getByText("At most 20 files, each up to 25 MB.").waitFor();
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Attach files" }).click();
    await (await chooser).setFiles(file);
    await page.getByText("ready").waitFor();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await told(page, "Sent.");
    await page.getByRole("heading", { name: "Outbox" }).waitFor();
    await page.locator(".outgoing", { hasText: "The plan" }).getByText("sent", { exact: true }).waitFor();

    await page.goto(`${service.base}/mail/inbox`);
    await page.locator(".row", { hasText: "The plan" }).first().click();
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "plan.txt" }).click();
    expect(await readFile(await (await download).path(), "utf8")).toBe("first the door, then the wall");
    await page.keyboard.press("r");
    await page.getByRole("heading", { name: "Reply" }).waitFor();
    expect(await page.getByLabel("Subject").inputValue()).toBe("Re: The plan");
    expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toContain("> It is attached.");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await told(page, "Sent.");

    await page.goto(`${service.base}/mail/inbox`);
    await page.locator(".row", { hasText: "The plan" }).last().click();
    await page.getByRole("link", { name: "Forward" }).click();
    await page.getByText("Forwarded with it: plan.txt").waitFor();
    await page.getByLabel("To", { exact: true }).fill("no address");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.locator("form .fault, form .notice.bad").first().waitFor();
    await page.getByLabel("To", { exact: true }).fill("friend@postern.test");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await told(page, "Sent.");
    expect(faults.filter((fault) => !/status of 400/.test(fault))).toEqual([]);
    await context.close();
    await rm(folder, { recursive: true });
  });

  test("a folder is made, refused a name that is taken, renamed, and deleted with its mail moved", async () => {
    const { page, context } = await openPage(browser);
    await signIn(page, service.base);
    await page.goto(`${service.base}/settings/folders`);
    const make = async (name: string): Promise<void> => {
      await page.getByRole("button", { name: "New folder" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill(name);
      await page.getByRole("button", { name: "Make the folder" }).click();
    };
    await make("Harbour");
    await told(page, "Made Harbour.");
    await make("harbour");
    await page.getByText("A folder with this name already exists.").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Rename or move Harbour" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Quay");
    await page.getByRole("button", { name: "Save" }).click();
    await told(page, "Saved Quay.");
    await page.getByRole("link", { name: "Quay" }).waitFor();
    await page.getByRole("button", { name: "Delete Quay" }).click();
    await page.getByRole("button", { name: /messages go to/ }).click();
    await page.getByRole("option", { name: "Projects", exact: true }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete Quay" }).click();
    await told(page, "Deleted Quay");
    await page.getByRole("link", { name: "Quay" }).waitFor({ state: "detached" });
    await context.close();
  });

  test("offline is said, an answer that does not come can be asked for again, and keys can be turned off", async () => {
    const { page, context } = await openPage(browser);
    await signIn(page, service.base);
    await context.setOffline(true);
    await page.getByText("You are offline.").waitFor();
    await page.getByRole("link", { name: "Sent" }).click();
    await page.getByText("The service cannot be reached from here.").waitFor();
    await context.setOffline(false);
    await page.getByRole("alert").getByRole("button", { name: "Try again" }).click();
    await rows(page).first().waitFor();
    await page.keyboard.press("?");
    await page.getByText("Single keys act while nothing is typed").click();
    await page.keyboard.press("Escape");
    await page.keyboard.press("c");
    await page.waitForTimeout(200);
    expect(page.url()).toContain("/mail/sent");
    await context.close();
  });
});
