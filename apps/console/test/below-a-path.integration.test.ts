import { freePort } from "@postern/testkit";
import { expect, test } from "vitest";
import { launch, openPage, signIn } from "./chromium.ts";
import { send } from "./mail-actors.ts";
import { describeOnDovecot } from "./worlds.ts";

describeOnDovecot("a console below a path", (start) => {
  test("requests nothing outside that path", async () => {
    const PORT = String(await freePort());
    const BASE_URL = `http://127.0.0.1:${PORT}/mail`;
    const [browser, service] = await Promise.all([launch(), start({ PORT, BASE_URL })]);
    try {
      await send(service.base, "Below a path", { html: "<p>Hello</p>" });
      const { page, faults } = await openPage(browser);
      const outside: Array<string> = [];
      page.on("request", (request) => {
        const { pathname } = new URL(request.url());
        if (!pathname.startsWith("/mail/")) outside.push(pathname);
      });
      await signIn(page, `${BASE_URL}/`);
      await page.getByText("Below a path").first().click();
      await page.frameLocator(".message-frame").getByText("Hello").waitFor();
      expect(await page.locator("a[download]").first().getAttribute("href")).toMatch(/^\/mail\/api\/messages\//);
      await page.reload();
      await page.frameLocator(".message-frame").getByText("Hello").waitFor();
      await page.getByRole("link", { name: "Settings" }).click();
      await page.getByRole("link", { name: "Sessions" }).click();
      await page.waitForURL("**/mail/settings/sessions");
      expect(await page.getByRole("link", { name: "API reference" }).getAttribute("href")).toBe("/mail/docs");
      expect(outside).toEqual([]);
      // The page requests the session before the sign-in.
      expect(faults.filter((fault) => !/401/.test(fault))).toEqual([]);
    } finally {
      await Promise.all([browser.close(), service.stop()]);
    }
  });
});
