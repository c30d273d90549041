import { describeWithChromium, describeWithDovecot } from "@postern/testkit";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectAccessible, launch, openPage, updateImage } from "./chromium.ts";
import { consentsOfAnother, describeConsentRefusals, expectRefusedToAnother } from "./consent-refusals.ts";
import { rowOf, told } from "./mail-actors.ts";
import type { VisitedPage } from "./page-visitor.ts";
import { ADMIN_KEY } from "./service.ts";
import { ANN, BOB, type ProviderWorld, startOnProviders } from "./oauth-world.ts";

let browser: Browser;
let world: ProviderWorld;

const PHONE = { width: 360, height: 740 };
const DESK = { width: 1360, height: 860 };

/** Expects that the page is accessible in both themes and as wide as a phone. */
const check = async (page: Page, what: string): Promise<void> => {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expectAccessible(page, `${what}, ${colorScheme}`);
  }
  await page.setViewportSize(PHONE);
  expect(await page.evaluate(() => document.documentElement.scrollWidth), what).toBeLessThanOrEqual(PHONE.width);
  await page.setViewportSize(DESK);
  await page.emulateMedia({ colorScheme: "light" });
};

const notice = (page: Page) => page.getByRole("alert").filter({ hasText: "Connect the account again." });

const send = async (page: Page, recipient: string, subject: string): Promise<void> => {
  await page.goto(`${world.base}/compose`);
  await page.getByLabel("To", { exact: true }).fill(recipient);
  await page.getByLabel("Subject").fill(subject);
  await page.getByRole("textbox", { name: "Message" }).fill(`About ${subject}`);
  await page.getByRole("button", { name: "Send", exact: true }).click();
};

describeWithDovecot("with providers like Google and Microsoft", () => {
  let consentsOfDan: ReadonlyArray<Promise<VisitedPage>>;

  beforeAll(async () => {
    world = await startOnProviders();
    consentsOfDan = await consentsOfAnother(world);
  });

  afterAll(() => world?.stop());

  describe("a consent", () => describeConsentRefusals(() => world));

  describeWithChromium("in the browser", () => {
    beforeAll(async () => {
      browser = await launch();
    });

    afterAll(() => browser?.close());

    test("users connect, read and write, and consent again after the provider ended the consent [S11.3-24]", async () => {
      const { page, context, faults } = await openPage(browser);
      // Ann is connected by a link without an address, which the page asks for.
      world.google.signIn(ANN);
      await page.goto(await world.link({ state: "42" }));
      await page.getByLabel("E-mail address").fill(ANN);
      await check(page, "connect page");
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByLabel("Password").waitFor();
      await check(page, "password page");
      await page.goto(await world.link({ email: ANN, provider: "google", state: "42" }));
      await page.waitForURL(/account=acc_.+state=42/);

      await page.getByText("Your mailbox is connected.").waitFor();
      await page.getByRole("link", { name: "Continue with Microsoft" }).waitFor();
      await check(page, "sign-in");
      // A password is refused, and the page points at the app of the address.
      await page.getByLabel("E-mail").fill(ANN);
      await page.getByLabel("Password").fill("unused");
      await page.keyboard.press("Enter");
      await page.getByText("choose “Continue with Google” below").waitFor();
      await expect.poll(() => page.locator(".ways .primary").allInnerTexts()).toEqual(["Continue with Google"]);
      await check(page, "refused sign-in");
      await page.getByRole("link", { name: "Continue with Google" }).click();
      await page.waitForURL("**/mail/inbox");
      const bob = await openPage(browser);
      world.microsoft.signIn(BOB);
      await bob.page.goto(await world.link({ email: BOB, provider: "microsoft", state: "43" }));
      await bob.page.waitForURL(/account=acc_.+state=43/);
      await bob.page.goto(`${world.base}/oauth/sign-in/microsoft`);
      await bob.page.waitForURL("**/mail/inbox");

      await send(bob.page, ANN, "Lunch");
      await rowOf(page, "Lunch").click();
      await page.frameLocator(".message-frame").getByText("About Lunch").waitFor();
      const other = await context.newPage();
      await other.goto(`${world.base}/mail/inbox`);
      await rowOf(other, "Lunch").waitFor();

      world.revoke(ANN);
      await send(page, BOB, "Dinner");
      await Promise.all([notice(page).waitFor(), notice(other).waitFor()]);
      await check(page, "banner");
      world.admit(ANN);
      await page.getByRole("link", { name: "Connect again" }).click();
      await rowOf(page, "Lunch").waitFor();
      await expect.poll(() => notice(page).count()).toBe(0);
      await expect.poll(() => notice(other).count()).toBe(0);
      await send(page, BOB, "Supper");
      await told(page, "Sent.");
      await bob.page.goto(`${world.base}/mail/inbox`);
      await rowOf(bob.page, "Supper").waitFor();
      expect([...faults, ...bob.faults].filter((fault) => !/401|502/.test(fault))).toEqual([]);

      // A refused password is asked for on the sign-in page.
      const auth = { kind: "password", provider: null };
      const json = { ok: true, data: { email: BOB, state: "needs_reauth", reason: null, auth } };
      await bob.page.route("**/api/account", (route) => route.fulfill({ json }));
      await bob.page.reload();
      await bob.page.getByRole("heading", { name: "Sign in" }).waitFor();
      await bob.page.goto(`${world.base}/oauth/callback`);
      await bob.page.getByRole("heading", { name: "This link can no longer be used" }).waitFor();
      await check(bob.page, "a refused consent");
      await Promise.all([context.close(), bob.context.close()]);
    });

    test("the operator adds an app, replaces it, connects a user by it and deletes it", async () => {
      const { page, context, faults } = await openPage(browser);
      await page.goto(`${world.base}/accounts`);
      await page.getByLabel("Admin key").fill(ADMIN_KEY);
      await page.keyboard.press("Enter");
      await page.getByRole("link", { name: "OAuth2 apps" }).click();
      const lines = page.getByRole("list", { name: "OAuth2 apps" }).getByRole("listitem");
      await lines.filter({ hasText: "Google" }).getByText("from OAUTH_APPS").waitFor();
      await expect
        .poll(() => page.getByLabel("Redirect URI", { exact: true }).innerText())
        .toBe(`${world.base}/oauth/callback`);
      await check(page, "apps");
      await updateImage(page, "apps.png");
      await page.getByRole("link", { name: "Add app" }).click();
      await page.getByText("Microsoft 365 and Outlook.com").click();
      await updateImage(page, "add-app.png");
      await page.getByRole("link", { name: "Cancel" }).click();
      const fill = async (label: string, issuer: string) => {
        await page.getByRole("link", { name: "Add app" }).press("Enter");
        await page.getByText("Any OpenID provider").click();
        await page.getByRole("button", { name: "Store app" }).press("Enter");
        await page.getByText("Enter the issuer.").waitFor();
        await page.getByLabel("Id", { exact: true }).fill("corp");
        await page.getByLabel("Name for users").fill(label);
        await page.getByLabel("Issuer").fill(issuer);
        await page.getByLabel("Client id").fill("postern");
        await page.getByLabel("Client secret").last().fill("s3cret");
        await page.keyboard.press("Enter");
      };
      await fill("Corp", "nowhere");
      await page.getByText("This must be an https address.").waitFor();
      await check(page, "an app with a fault");
      await page.getByLabel("Issuer").fill("https://id.corp.example");
      await page.keyboard.press("Enter");
      await told(page, "App corp stored.");
      await fill("Example Corp", "https://id.corp.example");
      await page.getByRole("alertdialog").waitFor();
      await check(page, "replacing an app");
      await page.getByRole("button", { name: "Replace app" }).click();
      await lines.filter({ hasText: "Example Corp" }).waitFor();
      expect(await lines.filter({ hasText: "corp" }).count()).toBe(1);

      await page.getByRole("link", { name: "Accounts" }).click();
      await page.getByRole("link", { name: ANN }).click();
      await page.getByText("by Google google, with the consent of its user").waitFor();
      await check(page, "an account by consent");
      await page.getByRole("link", { name: "Connect link" }).click();
      await page.getByRole("button", { name: "Provider" }).getByText("Google").waitFor();
      await page.getByRole("button", { name: "Make link" }).click();
      await page.getByLabel("Connect link", { exact: true }).getByText(`${world.base}/connect/`).waitFor();

      page.on("dialog", (dialog) => void dialog.accept());
      await page.getByRole("link", { name: "OAuth2 apps" }).click();
      await page.getByRole("button", { name: "Delete app corp" }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Delete app" }).click();
      await told(page, "App corp deleted.");
      await expect.poll(() => lines.filter({ hasText: "corp" }).count()).toBe(0);
      expect(faults.filter((fault) => !/400/.test(fault))).toEqual([]);
      await context.close();
    });
  });

  test("a consent of another user opens no mailbox, and the page says so [S11.2-6]", () =>
    expectRefusedToAnother(world, consentsOfDan));
});
