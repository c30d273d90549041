import { describeWithChromium, describeWithDovecot } from "@postern/testkit";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, launch, openPage, signIn, updateImage } from "./chromium.ts";
import { rowOf, told } from "./mail-actors.ts";
import { startOnDovecot, type World } from "./worlds.ts";

let browser: Browser;
let service: World;

const DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const text = (page: Page) => page.getByRole("textbox", { name: "Message" });

/** Pastes HTML, or a picture as base64. */
const paste = (page: Page, pasted: { readonly html?: string; readonly png?: string }) =>
  text(page).evaluate((editor, { html, png }) => {
    const clipboardData = new DataTransfer();
    if (html !== undefined) clipboardData.setData("text/html", html);
    if (png !== undefined) {
      const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
      clipboardData.items.add(new File([bytes], "dot.png", { type: "image/png" }));
    }
    editor.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, pasted);

describeWithDovecot("formatting in the browser, on Dovecot", () =>
  describeWithChromium("with a browser", () => {
    beforeAll(async () => {
      [browser, service] = await Promise.all([launch(), startOnDovecot()]);
    });

    afterAll(async () => {
      await Promise.all([browser?.close(), service?.stop()]);
    });

    test("a message with formatting and a picture is saved, sent with its plain text, and quoted", async () => {
      const { page, context, faults, origins } = await openPage(browser);
      await signIn(page, service.base);
      await page.keyboard.press("c");
      await page.getByLabel("To", { exact: true }).fill("demo@postern.test");
      await page.getByLabel("Subject").fill("With formatting");
      await text(page).click();
      await page.keyboard.type("This is ");
      await page.keyboard.press("Control+b");
      await page.keyboard.type("bold");
      await page.keyboard.press("Control+b");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Bulleted list" }).press("Enter");
      await page.keyboard.type("one");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Control+k");
      await page.getByLabel("Address").fill("example.com/plan");
      await expectAccessible(page, "inserting a link");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Enter");
      await paste(page, {
        html: '<p>pasted<img src="https://elsewhere.test/seen.gif" alt=""><a href="javascript:alert(1)">here</a><script>alert(1)</script></p>',
      });
      await paste(page, { png: DOT });
      await page.getByAltText("dot.png").waitFor();
      // When the upload is over, the button to send has its usual colour.
      await page.getByText("Saved in Drafts").waitFor();
      await expectAccessible(page, "formatting");
      await updateImage(page, "compose.png");

      await page.reload();
      await page.locator('.rich-text img[src^="data:"]').waitFor();
      expect(await page.getByAltText("dot.png").getAttribute("src")).toBe(`data:image/png;base64,${DOT}`);
      await text(page).press("Control+Enter");
      await told(page, "Sent.");
      await page.goto(`${service.base}/mail/inbox`);
      await rowOf(page, "With formatting").first().click();
      await page.getByRole("heading", { name: "With formatting" }).waitFor();
      const id = new URL(page.url()).pathname.split("/").at(-1)!;
      const raw = await page.evaluate(
        async (path) => (await fetch(path)).text(),
        `/api/messages/${id}/raw?postern-account=demo@postern.test`,
      );
      expect(raw).toMatch(/Content-Type: multipart\/alternative/i);
      expect(raw).toContain("This is bold\r\n- one\r\nexample.com/plan\r\n");
      expect(raw).toMatch(/<b>bold<\/b>/);
      expect(raw).toMatch(/Content-ID: <[^>]+@postern>/i);
      expect(raw).not.toMatch(/script|elsewhere|javascript/);

      await page.keyboard.press("r");
      const quote = page.locator(".rich-text > blockquote");
      await quote.locator("b", { hasText: "bold" }).waitFor();
      expect(await quote.locator("li").innerText()).toBe("one");
      // Text that is typed below the quote is not part of the quote.
      const { height } = (await text(page).boundingBox())!;
      await text(page).click({ position: { x: 40, y: height - 20 } });
      await page.keyboard.type("Below");
      await page.locator(".rich-text > div", { hasText: /^Below$/ }).waitFor();
      expect(await quote.innerText()).not.toContain("Below");
      await page.getByRole("button", { name: "Plain text" }).click();
      expect(await text(page).inputValue()).toContain("wrote:\n> This is bold\n> - one\n");
      await page.goto(`${service.base}/compose`);
      await page.getByRole("button", { name: "Formatting" }).waitFor();
      expect(origins).toEqual(new Set([service.base]));
      // The policy of the page refuses what DOMPurify then removes.
      expect(faults.filter((fault) => !/Content Security Policy/.test(fault))).toEqual([]);
      await context.close();
    });
  }),
);
