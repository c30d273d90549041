import { expect, test } from "vitest";
import { launch, openPage, signIn } from "./chromium.ts";
import { listed, rowOf, rows, send, subjectsIn, told } from "./mail-actors.ts";
import { startUpgradedFront } from "./upgraded-front.ts";
import { describeOnDovecot } from "./worlds.ts";

const keptAnswers = async (): Promise<number> => (await (await caches.open("postern-answers")).keys()).length;

describeOnDovecot("a console without a network", (start) => {
  test("shows what was read, and its actions wait until the network returns [S15.1-1] [S15.1-2] [S15.1-3]", async () => {
    const [browser, service] = await Promise.all([launch(), start()]);
    const front = await startUpgradedFront(service.base);
    try {
      await send(service.base, "Read before");
      const { page, context } = await openPage(browser);
      await signIn(page, front.url);
      await rowOf(page, "Read before").click();
      await page.locator(".message-text", { hasText: "About Read before" }).waitFor();
      await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state);
      front.state.isDown = true;
      await context.setOffline(true);
      await page.reload();
      await page.locator(".message-text", { hasText: "About Read before" }).waitFor();
      await page.getByText("You see what this browser has read.").waitFor();
      await page.keyboard.press("#");
      await told(page, "The action waits");
      await page.reload();
      await rows(page).first().waitFor();
      expect(await subjectsIn(service.base, "INBOX")).toContain("Read before");
      front.state.isDown = false;
      await context.setOffline(false);
      await page.reload();
      await expect.poll(() => listed(page)).not.toContain("Read before");
      await expect.poll(() => subjectsIn(service.base, "INBOX")).not.toContain("Read before");
      await context.close();
    } finally {
      front.stop();
      await Promise.all([browser.close(), service.stop()]);
    }
  });

  test("keeps nothing on a device that is not the user's, and nothing after the sign-out [S15.1-4]", async () => {
    const [browser, service] = await Promise.all([launch(), start()]);
    try {
      const { page, context } = await openPage(browser);
      await page.goto(service.base);
      await page.getByText("This is not my device").click();
      await page.getByLabel("E-mail").fill("demo@postern.test");
      await page.getByLabel("Password").fill("demo");
      await page.getByRole("button", { name: "Sign in" }).click();
      await rows(page).first().waitFor();
      await rows(page).first().click();
      await page.locator(".message h1").waitFor();
      expect(await page.evaluate(keptAnswers)).toBe(0);
      const signOut = async () => {
        await page.getByRole("button", { name: /^Account/ }).click();
        await page.getByRole("menuitem", { name: "Sign out" }).click();
        await page.getByLabel("Password").waitFor();
      };
      await signOut();
      await signIn(page, service.base);
      await expect.poll(() => page.evaluate(keptAnswers)).toBeGreaterThan(1);
      await signOut();
      expect(await page.evaluate(keptAnswers)).toBe(0);
      await context.close();
    } finally {
      await Promise.all([browser.close(), service.stop()]);
    }
  });
});
