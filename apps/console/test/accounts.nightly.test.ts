import { nightly } from "@postern/testkit";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, launch, openPage, signIn, updateImage } from "./chromium.ts";
import { faultIsInView, told } from "./mail-actors.ts";
import { ADMIN_KEY } from "./service.ts";
import { describeInSandbox, describeOnDovecot, ELSEWHERE, type World } from "./worlds.ts";

let browser: Browser;
let service: World;

const ANN = "friend@postern.test";
/** Where accounts may name their own servers, those of the operator keep the domain of the tests. */
const OWN_SERVERS = {
  ACCOUNT_SERVERS: "any",
  IMAP_DOMAINS: "postern.test",
  MAIL_ALLOWED_NETWORKS: "127.0.0.0/8",
};

const openAccounts = async (page: Page): Promise<void> => {
  await page.goto(`${service.base}/accounts`);
  await page.getByLabel("Admin key").fill(ADMIN_KEY);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Accounts", exact: true }).waitFor();
};

/** Asks for the servers of an address, with the keyboard. */
const findServers = async (page: Page, email: string): Promise<void> => {
  await page.getByRole("link", { name: "Add account" }).press("Enter");
  await page.getByLabel("E-mail").fill(email);
  await page.keyboard.press("Enter");
  await page.getByRole("radiogroup", { name: "Mail servers" }).waitFor();
};

const fillServer = async (page: Page, kind: "IMAP" | "SMTP", server: string): Promise<void> => {
  const [host, port] = server.split(":");
  await page.getByLabel(`${kind} host`).fill(host!);
  await page.getByLabel(`${kind} port`).fill(port!);
  await page.getByRole("button", { name: `${kind} encryption` }).click();
  await page.getByRole("option", { name: "STARTTLS" }).click();
};

const check = (page: Page, kind: "IMAP" | "SMTP") => page.locator(".checks .line", { hasText: kind });

for (const describeThere of [describeOnDovecot, ...nightly([describeInSandbox])])
  describeThere("accounts in the browser", (start) => {
    beforeAll(async () => {
      [browser, service] = await Promise.all([launch(), start({ ADMIN_KEY }, OWN_SERVERS)]);
    });

    afterAll(async () => {
      await Promise.all([browser?.close(), service?.stop()]);
    });

    test("an account is added with the keyboard, verified, tagged, paused and deleted", async () => {
      const { page, context, faults } = await openPage(browser);
      await openAccounts(page);
      await page.getByText("No accounts yet").waitFor();
      await page.getByRole("link", { name: "Add account" }).press("Enter");
      await page.getByLabel("E-mail").waitFor();
      await page.keyboard.press("Enter");
      await page.getByText("Enter the address of the mailbox.").waitFor();
      expect(await faultIsInView(page)).toBe(true);
      await page.keyboard.type(ANN);
      await page.keyboard.press("Enter");
      // The found servers are shown, and the focus is on the password.
      await page.getByRole("radio", { name: /IMAP .+, SMTP / }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByText("Enter the password.").waitFor();
      expect(await page.evaluate(() => document.activeElement?.getAttribute("type"))).toBe("password");
      await page.keyboard.type("wrong");
      await page.keyboard.press("Enter");
      await check(page, "IMAP").getByText("auth refused").waitFor();
      await check(page, "SMTP")
        .getByText(
          "The server refused the user name or the password. Check both, and whether the provider wants an app password.",
        )
        .waitFor();
      await expectAccessible(page, "refused checks");
      if (service.servers === undefined) await updateImage(page, "add-account.png");
      await page.getByLabel("Password").fill("demo");
      await page.getByLabel("Tags").fill("support, berlin");
      await page.getByLabel("Tags").press("Enter");
      await told(page, "Account added");
      await page.getByRole("heading", { name: ANN }).waitFor();
      await page.locator(".account-head .tag", { hasText: "active" }).waitFor();

      await page.getByRole("button", { name: "Verify" }).press("Enter");
      await check(page, "IMAP").getByText("accepted", { exact: true }).waitFor();
      await check(page, "SMTP").getByText("accepted", { exact: true }).waitFor();
      await expectAccessible(page, "account");

      await page.getByRole("button", { name: "Start recording" }).press("Enter");
      const log = page.getByRole("region", { name: "Lines of the protocol log" });
      await log.getByText(`# Protocol log of ${ANN}, recorded until `).waitFor();
      await page.getByRole("button", { name: "Verify" }).press("Enter");
      // The mail servers of the sandbox have no conversation.
      if (service.servers !== undefined) await log.getByText(/ imap#\d+ C: \S+ AUTHENTICATE PLAIN <removed>/).waitFor();
      await expectAccessible(page, "protocol log");
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: "Download" }).press("Enter");
      expect((await download).suggestedFilename()).toBe(`${ANN}.log`);
      await page.getByRole("button", { name: "End and delete" }).press("Enter");
      await told(page, "Protocol log deleted.");
      expect(await log.count()).toBe(0);
      await page.getByRole("button", { name: "Show the log" }).press("Enter");
      await page.getByText("The account has no protocol log.").waitFor();

      await page.getByRole("button", { name: "Pause" }).press("Enter");
      await page.locator(".account-head .tag", { hasText: "paused" }).waitFor();
      await page.getByRole("button", { name: "Resume" }).press("Enter");
      await page.locator(".account-head .tag", { hasText: "active" }).waitFor();

      await page.getByRole("button", { name: "Change" }).press("Enter");
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").waitFor();
      await page.keyboard.type("Ann");
      await dialog.getByLabel("Tags").fill("a:b");
      await page.keyboard.press("Enter");
      await page.getByText("A tag must not have a colon.").waitFor();
      await expectAccessible(page, "change");
      await dialog.getByLabel("Tags").fill("support, munich");
      await dialog.getByLabel("New password").fill("wrong");
      await page.keyboard.press("Enter");
      await check(page, "IMAP").getByText("auth refused").waitFor();
      await dialog.getByLabel("New password").fill("demo");
      await page.keyboard.press("Enter");
      await told(page, "Account changed.");
      await page.locator(".facts", { hasText: "munich" }).waitFor();

      await page.getByRole("button", { name: "Delete" }).press("Enter");
      const question = page.getByRole("alertdialog");
      await question.getByLabel(`Type ${ANN} to confirm`).waitFor();
      await page.keyboard.type("demo@postern.test");
      await page.keyboard.press("Enter");
      await page.getByText("This is not the address of the account.").waitFor();
      await expectAccessible(page, "deletion");
      await question.getByRole("textbox").fill(ANN);
      await page.keyboard.press("Enter");
      await told(page, `Account ${ANN} deleted.`);
      await page.getByText("No accounts yet").waitFor();
      // The refused passwords, and the deleted protocol log.
      expect(faults.filter((fault) => !/422|404/.test(fault))).toEqual([]);
      await context.close();
    });

    test("a connect link is made for a user, and opens the page that asks for the password", async () => {
      const { page, context, faults } = await openPage(browser);
      await openAccounts(page);
      await page.getByRole("link", { name: "Connect link" }).press("Enter");
      await page.getByLabel("E-mail").fill(ANN);
      await expectAccessible(page, "connect link");
      await page.getByLabel("Return address").fill("ftp://elsewhere.test/");
      await page.keyboard.press("Enter");
      await page.locator("form .fault").waitFor();
      expect(await faultIsInView(page)).toBe(true);
      await page.getByLabel("Return address").fill(`${service.base}/`);
      await page.keyboard.press("Enter");
      const link = await page.getByLabel("Connect link", { exact: true }).textContent();
      const user = await openPage(browser);
      await user.page.goto(new URL(link!, service.base).href);
      await user.page.getByLabel("Password").waitFor();
      expect(user.faults).toEqual([]);
      expect(faults.filter((fault) => !/status of 400/.test(fault))).toEqual([]);
      await Promise.all([context.close(), user.context.close()]);
    });

    test("the list is filtered by state and tag, and continues on further pages", async () => {
      const { page, context, faults } = await openPage(browser);
      // The accounts of two sign-ins, and pages of one.
      for (const address of ["demo@postern.test", ANN]) {
        const other = await openPage(browser);
        if (address === ANN) {
          await other.page.goto(service.base);
          await other.page.getByLabel("E-mail").fill(address);
          await other.page.getByLabel("Password").fill("demo");
          await other.page.keyboard.press("Enter");
          await other.page.waitForURL("**/mail/inbox");
        } else {
          await signIn(other.page, service.base, address);
        }
        await other.context.close();
      }
      await page.route("**/api/accounts?limit=50*", (route) =>
        route.continue({ url: route.request().url().replace("limit=50", "limit=1") }),
      );
      await openAccounts(page);
      const lines = page.getByRole("list", { name: "Accounts" }).locator(".line");
      await expect.poll(() => lines.count()).toBe(1);
      await page.getByRole("button", { name: "Show more accounts" }).press("Enter");
      await expect.poll(() => lines.count()).toBe(2);
      await lines.filter({ hasText: ANN }).getByText("From a sign-in.").waitFor();
      await page.getByRole("link", { name: ANN }).click();
      await page.getByRole("button", { name: "Change" }).click();
      await page.getByRole("dialog").getByLabel("Tags").fill("support");
      await page.getByRole("button", { name: "Save" }).click();
      await told(page, "Account changed.");
      await page.getByRole("button", { name: "Pause" }).click();
      await page.locator(".account-head .tag", { hasText: "paused" }).waitFor();

      await page.getByRole("link", { name: "Accounts" }).click();
      await page.getByLabel("Tag", { exact: true }).fill("support");
      await page.keyboard.press("Enter");
      await expect.poll(() => lines.allInnerTexts()).toEqual([expect.stringContaining(ANN)]);
      await page.getByRole("button", { name: "State" }).click();
      await page.getByRole("option", { name: "Active" }).click();
      await page.getByText("No account matches").waitFor();
      await page.getByLabel("Tag", { exact: true }).fill("");
      await page.keyboard.press("Enter");
      await expect.poll(() => lines.allInnerTexts()).toEqual([expect.stringContaining("demo@postern.test")]);
      await page.getByRole("button", { name: "State" }).click();
      await page.getByRole("option", { name: "All states" }).click();
      await expect.poll(() => lines.count()).toBe(2);
      await page.getByLabel("Address or name").fill(ANN.slice(0, 5).toUpperCase());
      await page.keyboard.press("Enter");
      await expect.poll(() => lines.allInnerTexts()).toEqual([expect.stringContaining(ANN)]);
      await page.getByLabel("Address or name").fill("");
      await page.keyboard.press("Enter");
      await expect.poll(() => lines.count()).toBe(2);
      if (service.servers === undefined) await updateImage(page, "accounts.png");
      expect(faults).toEqual([]);
      await context.close();
    });

    test("servers are entered by hand, where accounts may have their own", async () => {
      const { servers } = service;
      const { page, context, faults } = await openPage(browser);
      await openAccounts(page);
      if (servers === undefined) {
        await findServers(page, "jordan@strict.test");
        await page.getByLabel("App password").fill("demo");
        await page.keyboard.press("Enter");
        await check(page, "IMAP").getByText("app password required").waitFor();
        await page.getByLabel("App password").fill("demo-app-password");
        await page.keyboard.press("Enter");
        await told(page, "Account added");
        await page.getByRole("link", { name: "Accounts" }).click();
        await findServers(page, "casey@simple.test");
        await page.getByText("Enter the servers by hand").click();
        await page.getByLabel("IMAP host").fill("imap.nowhere.test");
        await fillServer(page, "SMTP", "smtp.simple.test:587");
        await page.getByLabel("Password").fill("demo");
        await page.getByRole("button", { name: "Verify and add" }).click();
        await check(page, "IMAP").getByText("not found").waitFor();
        await check(page, "SMTP").getByText("accepted", { exact: true }).waitFor();
        await context.close();
        return;
      }
      await findServers(page, "someone@gmail.com");
      await page.getByLabel("App password").waitFor();
      expect(await page.getByRole("link", { name: "How to create one" }).getAttribute("href")).toMatch(/^https:/);
      await page.getByRole("link", { name: "Cancel" }).click();

      await findServers(page, ELSEWHERE);
      await page.getByText("Enter the servers by hand").click();
      await page.getByLabel("IMAP host").fill("");
      await page.getByLabel("Password").fill("demo");
      await page.keyboard.press("Enter");
      await page.getByText("Enter the IMAP host.").waitFor();
      expect(await faultIsInView(page)).toBe(true);
      await fillServer(page, "IMAP", servers.imap);
      // The IMAP server answers on the port of SMTP.
      await fillServer(page, "SMTP", servers.imap);
      await page.getByRole("button", { name: "Verify and add" }).click();
      await check(page, "IMAP").getByText("accepted", { exact: true }).waitFor();
      await check(page, "SMTP").getByText("not a mail server").waitFor();
      await check(page, "SMTP").getByText("Check the host and the port.").waitFor();
      await fillServer(page, "SMTP", servers.smtp);
      await page.getByRole("button", { name: "Verify and add" }).click();
      await told(page, "Account added");
      await page.getByText(`${servers.imap}, STARTTLS`).waitFor();
      // The refused servers.
      expect(faults.filter((fault) => !/422/.test(fault))).toEqual([]);
      await context.close();
    });

    test("a refused sign-in shows advice, and a slow one shows that the answer takes time", async () => {
      const { page, context } = await openPage(browser);
      await page.goto(service.base);
      const isSlow = service.servers !== undefined;
      // Where accounts have their own servers, an address without an account is refused after 10 seconds.
      await page.getByLabel("E-mail").fill(isSlow ? "stranger@elsewhere.test" : "demo@postern.test");
      await page.getByLabel("Password").fill("wrong");
      await page.keyboard.press("Enter");
      if (isSlow) await page.getByText("An answer can take 10 seconds.").waitFor();
      await page.getByText("E-mail address and password do not match").waitFor();
      await page.getByText("create an app password").waitFor();
      await expectAccessible(page, "refused sign-in");
      await context.close();
    });
  });
