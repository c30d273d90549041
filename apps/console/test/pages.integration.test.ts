import { describeWithChromium } from "@postern/testkit";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, launch, openPage, signIn, updateImage } from "./chromium.ts";
import { ADMIN_KEY, startReceiver, startService } from "./service.ts";

let browser: Browser;
let service: Awaited<ReturnType<typeof startService>>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

const WIDTHS = [360, 820, 1360];
const PHONE = WIDTHS[0]!;

/** Returns controls lower or narrower than 44 px (WCAG 2.5.5), except links within a sentence. */
const smallTargets = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() => {
    const pressed = "a[href], button, summary, input, textarea, [role=menuitem], [role=option]";
    return [...document.querySelectorAll<HTMLElement>(pressed)].flatMap((element) => {
      const target = element.closest("label") ?? element;
      const { display, visibility } = getComputedStyle(target);
      const { width, height } = target.getBoundingClientRect();
      const isShown = target.checkVisibility() && visibility === "visible" && height > 1;
      // One pixel: visible to screen readers only.
      const isUnseen = target.parentElement!.getBoundingClientRect().width <= 1;
      const isSkipped = display === "inline" || target.matches(".skip") || isUnseen;
      return isShown && !isSkipped && Math.min(width, height) < 43.5
        ? [`${Math.round(width)} × ${Math.round(height)}: ${target.outerHTML.slice(0, 100)}`]
        : [];
    });
  });

describeWithChromium("every page", () => {
  beforeAll(async () => {
    [browser, service, receiver] = await Promise.all([launch(), startService({ ADMIN_KEY }), startReceiver()]);
    receiver.answer.status = 500;
  });

  afterAll(async () => {
    receiver?.stop();
    await Promise.all([browser?.close(), service?.stop()]);
  });

  test.for(["light", "dark"] as const)(
    "is accessible, does not shift and fits every width: %s",
    { timeout: 180_000 },
    async (colorScheme) => {
      const { page, context, faults } = await openPage(browser, { colorScheme, reducedMotion: "reduce" });
      await page.addInitScript(() => {
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as Array<
            PerformanceEntry & { value: number; hadRecentInput: boolean }
          >) {
            if (!entry.hadRecentInput)
              Reflect.set(window, "shift", Number(Reflect.get(window, "shift") ?? 0) + entry.value);
          }
        }).observe({ type: "layout-shift", buffered: true });
      });
      const check = async (what: string): Promise<void> => {
        await page.waitForLoadState("load");
        await expectAccessible(page, `${what}, ${colorScheme}`);
        expect(await page.evaluate(() => Number(Reflect.get(window, "shift") ?? 0)), `shift of ${what}`).toBeLessThan(
          0.02,
        );
        // Both themes have the same widths.
        for (const width of colorScheme === "light" ? WIDTHS : []) {
          await page.setViewportSize({ width, height: 860 });
          const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
          expect(inner, `${what} at ${width}`).toBeLessThanOrEqual(outer!);
          if (width === PHONE) expect(await smallTargets(page), `targets of ${what}`).toEqual([]);
        }
      };

      await page.goto(service.base);
      await page.getByLabel("E-mail").waitFor();
      await check("sign-in");
      await signIn(page, service.base);
      await check("inbox");
      if (colorScheme === "dark") await updateImage(page, "phone.png", { width: 390, height: 800 });
      await page.setViewportSize({ width: 1360, height: 860 });
      for (const key of ["j", "j", "J", "J"]) await page.keyboard.press(key);
      await page.getByText("3 selected", { exact: true }).waitFor();
      await check("selected messages");
      if (colorScheme === "light") await updateImage(page, "selection.png");
      await page.keyboard.press("Escape");
      await page.locator(".row").nth(1).click();
      await page.locator("article").waitFor();
      await check("message");
      if (colorScheme === "light") await updateImage(page, "inbox.png");

      await page.getByRole("button", { name: "Move to a folder" }).click();
      await page.getByRole("menu").waitFor();
      await expectAccessible(page, "move menu");
      await page.keyboard.press("Escape");
      await page.keyboard.press("?");
      await page.getByRole("dialog").waitFor();
      await expectAccessible(page, "shortcuts");
      await page.keyboard.press("Escape");

      const visit = async (path: string, shown: string): Promise<void> => {
        await page.goto(`${service.base}${path}`);
        await page.locator(shown).first().waitFor();
        await check(path);
      };
      await visit("/search?q=lunch", ".row");
      await visit("/compose", "form");
      await visit("/outbox", "main h1");
      await visit("/settings/folders", ".line");
      await page
        .getByRole("button", { name: /^Delete/ })
        .first()
        .click();
      await page.getByRole("alertdialog").waitFor();
      await expectAccessible(page, "deleting a folder");
      await visit("/settings/sessions", ".line");
      await visit("/settings/reading", "main h1");
      await visit("/settings/account", "main h1");
      await visit("/settings/webhooks", "main h1");
      await visit("/settings/webhooks/new", ".event");
      await page.getByLabel("Endpoint URL").fill(receiver.url);
      await page.getByRole("button", { name: "Choose all" }).click();
      if (colorScheme === "light") await updateImage(page, "add-endpoint.png");
      await page.getByRole("button", { name: "Add Endpoint" }).click();
      await page.locator(".secret").waitFor();
      await expectAccessible(page, "secret");
      await page.getByRole("link", { name: "Copied, show the endpoint" }).click();
      const endpoint = new URL(page.url()).pathname;
      await page.goto(`${service.base}/compose`);
      await page.getByLabel("To", { exact: true }).fill("demo@postern.test");
      await page.getByLabel("Subject").fill("For the ladder");
      await page.getByRole("textbox", { name: "Message" }).fill("x");
      await page.getByRole("button", { name: "Send", exact: true }).click();
      await page.getByText("Sent.", { exact: true }).waitFor();
      await page.goto(`${service.base}${endpoint}`);
      await page.locator(".delivery summary").last().click();
      await page.locator(".step.failed").first().waitFor();
      await page.getByText("Disabled because").waitFor();
      await page.setViewportSize({ width: 1360, height: 860 });
      await expectAccessible(page, "endpoint");
      if (colorScheme === "light") await updateImage(page, "webhook.png");
      await visit("/settings/nothing", "main h1");

      await visit("/accounts", "[type=password]");
      await page.getByLabel("Admin key").fill(ADMIN_KEY);
      await page.keyboard.press("Enter");
      // A reload would forget the key.
      const follow = async (link: string, shown: string): Promise<void> => {
        await page.getByRole("link", { name: link }).click();
        await page.locator(shown).first().waitFor();
        await check(link);
      };
      await page.locator("main .line").first().waitFor();
      await check("the accounts");
      await follow("Add account", "form");
      await page.getByLabel("E-mail").fill("friend@postern.test");
      await page.keyboard.press("Enter");
      await page.getByText("Enter the servers by hand").click();
      await page.getByText("User name and certificate").first().click();
      await check("servers by hand");
      await follow("Cancel", ".line");
      await follow("demo@postern.test", ".facts");
      await page.getByRole("button", { name: "Verify" }).click();
      await page.locator(".checks").waitFor();
      await check("checks");
      await page.getByRole("button", { name: "Change" }).click();
      await page.getByText("Change the mail servers").click();
      await check("changing an account");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Delete" }).click();
      await check("deleting an account");
      await page.keyboard.press("Escape");
      await follow("Service keys", ".state, .line");
      await follow("Create key", "form");
      await page.getByLabel("Name").fill("Support desk");
      await page.getByText("mail:read").click();
      await page.getByRole("button", { name: "Create key" }).click();
      await page.locator(".secret").waitFor();
      await check("the new key");
      await follow("Copied, show the keys", ".line");
      expect(faults).toEqual([]);
      await context.close();
    },
  );
});
