import { nightly } from "@postern/testkit";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, launch, openPage, signIn, updateImage } from "./chromium.ts";
import { savedNow } from "./compose-actors.ts";
import { send, told } from "./mail-actors.ts";
import { type ColorScheme, pageCheck } from "./page-checks.ts";
import { ADMIN_KEY, startReceiver } from "./service.ts";
import { describeInSandbox, describeOnDovecot, type World } from "./worlds.ts";

let browser: Browser;
let service: World;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

const lunch = (n: number, text: string): string =>
  [
    'From: "Sam Okoye" <friend@postern.test>',
    "To: demo@postern.test",
    `Subject: ${n === 0 ? "" : "Re: "}Lunch on Thursday?`,
    `Message-ID: <lunch-${n}@postern.test>`,
    ...(n === 0 ? [] : ["References: <lunch-0@postern.test>"]),
    "",
    text,
    "",
  ].join("\r\n");

/** A conversation that is also in the sandbox. */
const MAILS = {
  INBOX: [lunch(0, "The place by the canal?"), lunch(1, "It has soup."), lunch(2, "It never rains on soup day.")],
};

const THEMES = ["light", ...nightly(["dark"])] as const;
const SLOW = { timeout: 240_000 };

/** A page in a theme, with a check of its content. The guides show the pictures from the sandbox. */
const themed = async (colorScheme: ColorScheme) => {
  const opened = await openPage(browser, { colorScheme, reducedMotion: "reduce" });
  const { page } = opened;
  const check = await pageCheck(page, colorScheme);
  const image = async (name: string, theme: ColorScheme = "light", size?: { width: number; height: number }) => {
    if (service.servers === undefined && theme === colorScheme) await updateImage(page, name, size);
  };
  const visit = async (path: string, shown: string): Promise<void> => {
    await page.goto(`${service.base}${path}`);
    await page.locator(shown).first().waitFor();
    await check(path);
  };
  return { ...opened, check, image, visit };
};

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first().click();

const EVERY_PAGE = "every page is accessible, does not shift and fits every width";

for (const describeThere of [describeInSandbox, ...nightly([describeOnDovecot])])
  describeThere(EVERY_PAGE, (start) => {
    beforeAll(async () => {
      [browser, service, receiver] = await Promise.all([
        launch(),
        start(
          { ADMIN_KEY },
          { ACCOUNT_SERVERS: "any", IMAP_DOMAINS: "postern.test", MAIL_ALLOWED_NETWORKS: "127.0.0.0/8" },
          MAILS,
        ),
        startReceiver(),
      ]);
      receiver.answer.status = 500;
    });

    afterAll(async () => {
      receiver?.stop();
      await Promise.all([browser?.close(), service?.stop()]);
    });

    test.for(THEMES)("the mailbox, %s", SLOW, async (colorScheme) => {
      const { page, context, faults, check, image, visit } = await themed(colorScheme);
      await page.goto(service.base);
      await page.getByLabel("E-mail").waitFor();
      await check("sign-in");
      await image("sign-in.png");
      await signIn(page, service.base);
      await check("inbox");
      await image("phone.png", "dark", { width: 390, height: 800 });
      await page.setViewportSize({ width: 1360, height: 860 });
      for (const key of ["j", "j", "J", "J"]) await page.keyboard.press(key);
      await page.getByText("3 selected", { exact: true }).waitFor();
      await check("selected messages");
      await image("selection.png");
      await page.keyboard.press("Escape");
      await page.locator(".row").nth(1).click();
      await page.locator("article").waitFor();
      await check("message");
      await image("inbox.png");
      await press(page, "Move to a folder");
      await page.getByRole("menu").waitFor();
      await expectAccessible(page, "move menu");
      await page.keyboard.press("Escape");
      await page.keyboard.press("?");
      await page.getByRole("dialog").waitFor();
      await expectAccessible(page, "shortcuts");
      await page.keyboard.press("Escape");

      await visit("/search?q=lunch", ".row");
      await page.locator(".row").first().click();
      await page.locator("article").waitFor();
      await check("a message that was found");
      await image("search.png");
      await page.goto(`${service.base}/mail/inbox`);
      await page.locator(".row").first().waitFor();
      await press(page, "Group by conversation");
      const conversation = page.locator(".row-item", { hasText: "Re: Lunch on Thursday?" }).first();
      await conversation.locator(".row-fold").click();
      await page.locator(".row-item.below").first().waitFor();
      await check("conversations");
      await conversation.locator(".row").click();
      await press(page, /^Show \d+ earlier messages$/);
      await check("a conversation");
      await image("conversation.png");
      await press(page, "Oldest first");
      await check("the oldest first");

      await visit("/compose", "form");
      await page.getByLabel("To", { exact: true }).fill("friend@postern.test");
      await page.getByLabel("Subject").fill("Plans for the garden");
      await page.getByRole("textbox", { name: "Message" }).fill("Shall we plant the apple trees in March?");
      await savedNow(page);
      await visit("/mail/drafts", ".draft-row");
      await image("drafts.png");
      await send(service.base, "The table is booked", { to: "friend@postern.test" }, "demo@postern.test");
      const sendAt = new Date(Date.now() + 86_400_000).toISOString();
      await send(service.base, "See you tomorrow", { to: "friend@postern.test", sendAt }, "demo@postern.test");
      await visit("/outbox", ".outgoing");
      await page.locator(".outgoing").getByText("sent", { exact: true }).first().waitFor();
      await image("outbox.png");
      expect(faults).toEqual([]);
      await context.close();
    });

    test.for(THEMES)("the settings, %s", SLOW, async (colorScheme) => {
      const { page, context, faults, check, image, visit } = await themed(colorScheme);
      await signIn(page, service.base);
      await visit("/settings/folders", ".line");
      await image("folders.png");
      await press(page, /^Delete/);
      await page.getByRole("alertdialog").waitFor();
      await check("deleting a folder");
      await visit("/settings/sessions", ".line");
      await image("sessions.png");
      await visit("/settings/reading", "main h1");
      await image("reading.png");
      await visit("/settings/writing", ".line");
      await press(page, "Change demo@postern.test");
      await page.getByLabel("Name").fill("Robin Demo");
      await page.getByLabel("Signature").fill("Robin Demo\nHarbour Street 7");
      await check("a sender");
      await image("signature.png");
      await press(page, "Save");
      await told(page, "Sender saved.");
      await press(page, "Dismiss");
      await image("senders.png");
      await visit("/settings/account", "main h1");
      await press(page, "Erase the account");
      await page.getByRole("alertdialog").waitFor();
      await check("erasing the account");
      await image("erase-account.png");

      await visit("/settings/webhooks", "main h1");
      await visit("/settings/webhooks/new", ".event");
      await page.getByLabel("Endpoint URL").fill(receiver.url);
      await press(page, "Choose all");
      await image("add-endpoint.png");
      await press(page, "Add Endpoint");
      await page.locator(".secret").waitFor();
      await check("secret");
      await page.getByRole("link", { name: "Copied, show the endpoint" }).click();
      await page.locator("main h1").waitFor();
      const endpoint = new URL(page.url()).pathname;
      await send(service.base, "For the ladder", {}, "demo@postern.test");
      await page.goto(`${service.base}${endpoint}`);
      await page.locator(".delivery summary").last().click();
      await page.locator(".step.failed").first().waitFor();
      await page.getByText("Disabled because").waitFor();
      await page.setViewportSize({ width: 1360, height: 860 });
      await expectAccessible(page, "endpoint");
      await image("webhook.png");
      await visit("/settings/webhooks", "main .line");
      await image("webhooks.png");
      await visit("/settings/nothing", "main h1");
      expect(faults).toEqual([]);
      await context.close();
    });

    test.for(THEMES)("the accounts of the service, %s", SLOW, async (colorScheme) => {
      const { page, context, faults, check, image, visit } = await themed(colorScheme);
      await visit("/accounts", "[type=password]");
      await image("admin-key.png");
      await page.getByLabel("Admin key").fill(ADMIN_KEY);
      await page.keyboard.press("Enter");
      // A reload would forget the key.
      const follow = async (link: string, shown: string): Promise<void> => {
        await page.getByRole("link", { name: link, exact: true }).click();
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
      await follow("Connect link", "form");
      await press(page, "Make link");
      await page.locator(".secret").waitFor();
      await check("the connect link");
      await image("connect-link.png");
      await page.getByRole("link", { name: "Accounts", exact: true }).click();
      await follow("demo@postern.test", ".facts");
      await press(page, "Verify");
      await page.locator(".checks").waitFor();
      await check("checks");
      await image("account.png");
      await press(page, "Change");
      await page.getByText("Change the mail servers").click();
      await check("changing an account");
      await page.keyboard.press("Escape");
      await press(page, "Delete");
      await check("deleting an account");
      await image("delete-account.png");
      await page.keyboard.press("Escape");
      await follow("Service keys", ".state, .line");
      await follow("Create key", "form");
      await page.getByLabel("Name").fill("Support desk");
      await page.getByLabel("Application").fill("Quay Desk");
      await page.getByText("mail:read").click();
      await image("add-key.png");
      await press(page, "Create key");
      await page.locator(".secret").waitFor();
      await check("the new key");
      await follow("Copied, show the keys", ".line");
      await image("keys.png");
      await follow("OAuth2 apps", "main h1");
      await follow("Add app", "form");
      await follow("Applications", ".line");
      await page.locator("main .line a").first().click();
      await page.getByRole("heading", { name: "Shown to users" }).waitFor();
      await check("an application");
      await image("application.png");
      await press(page, "Delete");
      await check("deleting an application");
      await page.keyboard.press("Escape");
      await follow("Outbox", "main h1");
      await follow("Audit", ".line");
      await image("audit.png");
      await follow("Metrics", ".figure");
      await image("metrics.png");
      expect(faults).toEqual([]);
      await context.close();
    });
  });
