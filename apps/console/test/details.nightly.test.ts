import { describeWithChromium } from "@postern/testkit";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch, openPage, signIn } from "./chromium.ts";
import { faultIsInView, rowOf, rows, send, told } from "./mail-actors.ts";
import { startService } from "./service.ts";
import { describeOnDovecot, type World } from "./worlds.ts";

let browser: Browser;
let service: World;

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const attach = async (page: Page, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> => {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach files" }).click();
  await (await chooser).setFiles(file);
};

const FILE = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("a note") };

// Discovery finds mail servers only in the sandbox.
describeWithChromium("in the sandbox", () => {
  beforeAll(async () => {
    [browser, service] = await Promise.all([launch(), startService()]);
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), service?.stop()]);
  });

  test("an address at another provider signs in by discovery", async () => {
    await send(service.base, "To another provider", { to: "casey@simple.test" });
    const { page, context, faults } = await openPage(browser);
    await signIn(page, service.base, "casey@simple.test");
    await rowOf(page, "To another provider").waitFor();
    await page.getByText("casey@simple.test").first().waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});

describeOnDovecot("details", (start) => {
  beforeAll(async () => {
    [browser, service] = await Promise.all([launch(), start()]);
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), service?.stop()]);
  });

  test("a message's HTML runs no script, and fetches images only after the reader asks for them", async () => {
    const html =
      '<p id="hello">Hello</p><img src="https://tracker.example/p.gif" onerror="top.hacked=1">' +
      '<script>top.hacked = 1</script><a href="javascript:top.hacked=1">press</a>';
    await send(service.base, "Remote images", { html });
    const { page, context, faults } = await openPage(browser);
    let fetched = 0;
    await context.route("https://tracker.example/**", (route) => {
      fetched++;
      return route.fulfill({ contentType: "image/png", body: PIXEL });
    });
    await signIn(page, service.base);
    await rowOf(page, "Remote images").click();
    const inside = page.frameLocator(".message-frame");
    await inside.getByText("Hello").waitFor();
    // HTML as if the service had not sanitized it.
    const letThrough = () =>
      page.evaluate((hostile) => {
        document.querySelector("iframe")!.contentDocument!.body.insertAdjacentHTML("beforeend", hostile);
      }, html);
    await letThrough();
    await page.waitForTimeout(300);
    expect(await page.evaluate(() => Reflect.get(window, "hacked"))).toBeUndefined();
    expect(fetched).toBe(0);
    await page.reload();
    await inside.getByText("Hello").waitFor();
    faults.length = 0;
    await page.getByRole("button", { name: "Show images", exact: true }).click();
    await expect.poll(() => fetched).toBe(1);
    await page.waitForTimeout(300);
    expect(faults).toEqual([]);
    await letThrough();
    await page.waitForTimeout(300);
    expect(await page.evaluate(() => Reflect.get(window, "hacked"))).toBeUndefined();
    await context.close();
  });

  test("right-to-left text is shown from right to left", async () => {
    await send(service.base, "שלום עולם", { text: "זוהי הודעה.\nAn English line.\n" });
    const { page, context } = await openPage(browser);
    await signIn(page, service.base);
    const direction = (selector: string) =>
      page.locator(selector).evaluate((element) => getComputedStyle(element).direction);
    await rowOf(page, "שלום עולם").click();
    await page.locator(".message-text").waitFor();
    expect(await direction(".row.here .row-subject")).toBe("rtl");
    expect(await direction("article h1")).toBe("rtl");
    expect(await direction(".message-text")).toBe("rtl");
    expect(await direction(".row.here .row-when")).toBe("ltr");
    await page.keyboard.press("r");
    await page.getByLabel("Subject").fill("שלום");
    expect(await page.getByLabel("Subject").evaluate((field) => getComputedStyle(field).direction)).toBe("rtl");
    await context.close();
  });

  test("a message moved to Trash under an unknown id is not reported as deleted, and has no Undo", async () => {
    await send(service.base, "Somewhere in Trash");
    const { page, context } = await openPage(browser);
    await context.route("**/api/messages/batch", async (route) => {
      const response = await route.fetch();
      const { data } = (await response.json()) as { readonly data: { readonly results: ReadonlyArray<object> } };
      const results = data.results.map((result) => ({ ...result, newId: null }));
      return route.fulfill({ response, json: { ok: true, data: { ...data, results } } });
    });
    await signIn(page, service.base);
    await rowOf(page, "Somewhere in Trash").click();
    await page.locator("article").waitFor();
    await page.keyboard.press("#");
    await told(page, "Moved to Trash.");
    expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
    await context.close();
  });

  test("a draft survives an interrupted upload and the end of the session, and marks the lost file", async () => {
    const { page, context } = await openPage(browser);
    await signIn(page, service.base);
    await context.route("**/api/drafts", (route) => route.abort());
    await page.goto(`${service.base}/compose`);
    await page.getByLabel("Subject").fill("With two files");
    await attach(page, FILE);
    await page.getByText("ready").waitFor();
    await context.route("**/api/uploads", () => {});
    await attach(page, { ...FILE, name: "late.txt" });
    await page.getByText("Waiting for uploads…").waitFor();
    page.on("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText("was not uploaded because you left the page").waitFor();
    await page.getByText("ready").waitFor();
    expect(await page.getByRole("button", { name: "Send", exact: true }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Remove late.txt" }).click();
    expect(await page.getByRole("button", { name: "Send", exact: true }).isDisabled()).toBe(false);

    await context.clearCookies();
    await context.unroute("**/api/uploads");
    await attach(page, { ...FILE, name: "later.txt" });
    await page.getByLabel("Password").waitFor();
    const enter = async (email: string): Promise<void> => {
      await page.getByLabel("E-mail").fill(email);
      await page.getByLabel("Password").fill("demo");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "New message" }).waitFor();
    };
    await enter("friend@postern.test");
    expect(await page.getByLabel("Subject").inputValue()).toBe("");
    await context.clearCookies();
    await attach(page, { ...FILE, name: "later.txt" });
    await enter("demo@postern.test");
    expect(await page.getByLabel("Subject").inputValue()).toBe("With two files");
    await page.getByText("ready").waitFor();
    await page.getByText("later.txt").waitFor();

    await page.getByRole("button", { name: /^Account/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    const question = page.getByRole("alertdialog", { name: "Sign out and discard the changes of a draft?" });
    await question.getByRole("button", { name: "Stay signed in" }).click();
    await question.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Discard" }).click();
    await told(page, "Draft discarded.");
    await page.goto(`${service.base}/compose`);
    await page.getByRole("heading", { name: "New message" }).waitFor();
    expect(await page.getByLabel("Subject").inputValue()).toBe("");
    await context.close();
  });

  test("a message without a subject and text is sent only after confirmation", async () => {
    const { page, context, faults } = await openPage(browser);
    await signIn(page, service.base);
    await page.goto(`${service.base}/compose`);
    const to = page.getByLabel("To", { exact: true });
    const sendIt = () => page.getByRole("button", { name: "Send", exact: true }).click();
    await sendIt();
    await page.getByText("Give at least one address.").waitFor();
    expect(await to.evaluate((field) => field === document.activeElement)).toBe(true);
    await to.fill("friend@postern.test");
    await sendIt();
    const question = page.getByRole("alertdialog", { name: "Send the message without a subject and text?" });
    await question.getByRole("button", { name: "Keep writing" }).click();
    await question.waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "New message" }).waitFor();
    await sendIt();
    await question.getByRole("button", { name: "Send anyway" }).click();
    await told(page, "Sent.");
    await page.getByRole("link", { name: "Outbox" }).click();
    await page.locator(".outgoing", { hasText: "No subject" }).first().waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test("a refused form scrolls to its first fault and focuses it", async () => {
    const { page, context } = await openPage(browser, { viewport: { width: 1280, height: 700 } });
    await signIn(page, service.base);
    await page.goto(`${service.base}/settings/webhooks/new`);
    const add = page.getByRole("button", { name: "Add Endpoint" });
    const url = page.getByLabel("Endpoint URL");
    const leadsTo = async (fault: string): Promise<void> => {
      const described = () =>
        page.evaluate(() =>
          (document.activeElement?.getAttribute("aria-describedby") ?? "")
            .split(" ")
            .map((id) => document.getElementById(id)?.textContent ?? "")
            .join(" "),
        );
      await expect.poll(described).toContain(fault);
      await expect.poll(() => faultIsInView(page)).toBe(true);
    };
    await url.fill("https://10.1.2.3/hooks");
    await add.click();
    await leadsTo("Choose at least one event.");
    await url.fill("");
    await add.click();
    await leadsTo("Enter the URL that events are posted to.");
    await url.fill("https://10.1.2.3/hooks");
    await page.getByRole("button", { name: "Choose all" }).click();
    await add.click();
    await leadsTo("must");
    expect(await url.evaluate((field) => field === document.activeElement)).toBe(true);
    await context.close();
  });

  test("a page that is not found offers a link, not a retry", async () => {
    const { page, context } = await openPage(browser);
    await signIn(page, service.base);
    const offers = async (path: string, way: string): Promise<void> => {
      await page.goto(`${service.base}${path}`);
      await page.getByRole("alert").getByRole("link", { name: way }).waitFor();
      expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
    };
    await offers("/mail/inbox/nothing", "Back to the list");
    await offers("/mail/nothing", "Go to the inbox");
    await offers("/compose?reply=nothing", "Go to the inbox");
    await offers("/settings/webhooks/nothing", "Go to the endpoints");
    await context.close();
  });

  test("reports being offline, offers to retry a failed request, and can turn off shortcuts", async () => {
    const { page, context } = await openPage(browser);
    await signIn(page, service.base);
    await context.setOffline(true);
    await page.getByText("You see what this browser has read.").waitFor();
    await page.getByRole("link", { name: "Sent" }).click();
    await page.getByText("The service cannot be reached from here.").waitFor();
    await context.setOffline(false);
    await page.getByRole("alert").getByRole("button", { name: "Try again" }).click();
    await rows(page).first().waitFor();
    await page.keyboard.press("?");
    await page.getByText("Single-key shortcuts").click();
    await page.keyboard.press("Escape");
    await page.keyboard.press("c");
    await page.waitForTimeout(200);
    expect(page.url()).toContain("/mail/sent");
    await context.close();
  });
});
