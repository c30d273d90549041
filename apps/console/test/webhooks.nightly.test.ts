import { verifyWebhook } from "@postern/client/webhooks";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch, openPage, signIn } from "./chromium.ts";
import { startReceiver } from "./service.ts";
import { describeOnDovecot, type World } from "./worlds.ts";

let browser: Browser;
let service: World;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

describeOnDovecot("webhooks in the browser", (start) => {
  beforeAll(async () => {
    [browser, service, receiver] = await Promise.all([launch(), start(), startReceiver()]);
  });

  afterAll(async () => {
    receiver?.stop();
    await Promise.all([browser?.close(), service?.stop()]);
  });

  test(
    "an endpoint that fails is retried, disabled, enabled, and receives the held events by a replay",
    { timeout: 180_000 },
    async () => {
      const { page, context, faults } = await openPage(browser);
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await signIn(page, service.base);

      await page.keyboard.press("g");
      await page.keyboard.press("e");
      await page.getByRole("link", { name: "Webhooks" }).click();
      await page.getByRole("link", { name: "Add Endpoint" }).click();
      const url = page.getByLabel("Endpoint URL");
      await url.fill("ftp://example.com");
      await page.getByText("Start with https://").waitFor();
      await url.fill("https://user:secret@example.com/");
      await page.getByText("Remove the user name and password").waitFor();
      await url.fill(receiver.url);
      await page.getByText("Only https is accepted").waitFor();
      await page.getByRole("button", { name: "Add Endpoint" }).click();
      await page.getByText("Choose at least one event.").waitFor();
      await page.getByText("email.sent", { exact: true }).click();
      await page.getByText("Sample", { exact: true }).nth(1).click();
      await page.locator("pre", { hasText: '"event": "email.sent"' }).waitFor();
      await page.getByRole("button", { name: "Add Endpoint" }).click();
      await page.getByRole("button", { name: "Copy the signing secret" }).click();
      const secret = await page.evaluate(() => navigator.clipboard.readText());
      expect(secret).toMatch(/^whsec_/);
      await page.getByRole("link", { name: "Copied, show the endpoint" }).click();

      await page.getByRole("button", { name: "Send test event" }).click();
      await page.getByRole("button", { name: "Send", exact: true }).click();
      await page.getByText("the receiver says 200").waitFor();
      await page.getByRole("button", { name: "Close" }).click();

      receiver.answer.status = 503;
      const endpoint = page.url();
      const send = async (subject: string): Promise<void> => {
        await page.goto(`${service.base}/compose`);
        await page.getByLabel("To", { exact: true }).fill("friend@postern.test");
        await page.getByLabel("Subject").fill(subject);
        await page.getByRole("textbox", { name: "Message" }).fill("Does it arrive?");
        await page.getByRole("button", { name: "Send", exact: true }).click();
        await page.getByText("Sent.", { exact: true }).waitFor();
        await page.goto(endpoint);
      };
      await send("Up the ladder");
      await page.locator(".delivery summary").first().click();
      await page.locator(".step.failed").first().waitFor();
      await page.getByText("Disabled because the last retry of an event failed").waitFor();
      expect(await page.locator(".step").count()).toBe(6);
      await page.locator(".step.failed", { hasText: "503" }).nth(5).waitFor();
      expect(await page.locator(".step-wait").allInnerTexts()).toEqual([
        "at once",
        ...[200, 300, 400, 500, 600].map((wait) => `after ${wait} ms`),
      ]);
      await page.getByText("the receiver says 503").first().waitFor();

      receiver.answer.status = 204;
      await send("While it is disabled");
      await page.locator(".delivery .tag", { hasText: "held" }).waitFor();
      await page.getByRole("button", { name: "Enable" }).click();
      await page.getByText("Endpoint enabled. Replay the events that were held.").waitFor();
      receiver.received.length = 0;
      await page.getByRole("button", { name: "Replay" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Replay" }).click();
      await page.waitForFunction(() => document.querySelectorAll(".delivery .tag.good").length === 2);
      await page.getByText("last answer 204").waitFor();
      // The page asks for the endpoint beside its deliveries, and again after each of their answers.
      await page.waitForFunction(() => {
        const asked = performance.getEntriesByType("resource") as Array<PerformanceResourceTiming>;
        const lastFor = (path: string) => asked.findLast(({ name }) => new URL(name).pathname.endsWith(path))!;
        return lastFor(location.pathname).startTime >= lastFor("/deliveries").responseEnd;
      });
      expect(receiver.received).toHaveLength(2);
      for (const { headers, body } of receiver.received) {
        const event = await verifyWebhook({ body, headers, secret });
        expect(event.event).toBe("email.sent");
      }

      await page.locator(".delivery summary").first().click();
      await page.getByRole("button", { name: "Resend" }).first().click();
      await page.locator(".delivery .tag", { hasText: "resend" }).waitFor();

      await page.getByRole("button", { name: "Rotate secret" }).click();
      await page.getByRole("button", { name: "Create new secret" }).click();
      await page.getByText("Events are signed with both secrets until").waitFor();
      expect(await page.getByLabel("Signing secret", { exact: true }).innerText()).not.toBe(secret);
      await page.getByRole("button", { name: "Copied, close" }).click();

      await page.getByRole("button", { name: "Disable" }).click();
      await page.getByText("You disabled this endpoint").waitFor();
      await page.getByRole("button", { name: "Delete" }).click();
      await page.getByRole("button", { name: "Delete endpoint" }).click();
      await page.getByText("No endpoints yet").waitFor();
      expect(faults).toEqual([]);
      await context.close();
    },
  );
});
