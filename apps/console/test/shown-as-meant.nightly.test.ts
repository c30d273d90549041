import { readFile } from "node:fs/promises";
import { hostileSheets } from "@postern/testkit";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, launch, openPage, signIn } from "./chromium.ts";
import { rowOf } from "./mail-actors.ts";
import { describeOnDovecot, type World } from "./worlds.ts";

let browser: Browser;
let service: World;

const PHONE = { width: 390, height: 844 };
const TRACKER = "http://tracker.test";

const html = (subject: string, content: string): string =>
  [
    "From: ann@x.test",
    `Subject: ${subject}`,
    `Message-ID: <${subject.replaceAll(" ", "")}@x.test>`,
    "MIME-Version: 1.0",
  ]
    .concat(["Content-Type: text/html; charset=utf-8", "", content, ""])
    .join("\r\n");

const WORDS = "very wide words that do not wrap ".repeat(9);
const NEWSLETTER =
  "<style>.mast{background-color:#0a5c36} td.cell{border-left:7px solid rgb(200,10,20)} " +
  "@media only screen and (max-width:480px){.mast{background-color:#7a1f5c!important}}</style>" +
  '<table width="940"><tr><td class="mast" nowrap width="940"><h2>Quay news</h2></td><td class="cell">end</td></tr>' +
  `<tr><td nowrap>${WORDS}</td><td>x</td></tr></table>`;
const SHEETS = "<style>.hi{color:#111} p{background:none}</style>";
const FILES = [
  "From: ann@x.test",
  "Subject: Two files",
  "Message-ID: <files@x.test>",
  "MIME-Version: 1.0",
  'Content-Type: multipart/mixed; boundary="b"',
  "",
  "--b\r\nContent-Type: text/plain\r\n\r\nTwo of them.",
  '--b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename="report.pdf"\r\n\r\n%PDF-1.4',
  '--b\r\nContent-Type: text/csv\r\nContent-Disposition: attachment; filename="costs.csv"\r\n\r\ndoor,40',
  "--b--\r\n",
].join("\r\n");
const LONG =
  Array.from({ length: 420 }, (_, n) => `<p>Paragraph ${n} of the letter.</p>`).join("") + "<p>The very end.</p>";

describeOnDovecot("HTML mail in the browser", (start) => {
  beforeAll(async () => {
    const INBOX = [
      html("Newsletter", NEWSLETTER),
      html("Long letter", LONG),
      html("Night words", `${SHEETS}<p style="margin:0;color:inherit">Only words.</p>`),
      html("Own colours", `${SHEETS}<p class="hi">Black on white.</p>`),
      FILES,
      html(
        "Hostile sheets",
        `${hostileSheets(TRACKER)
          .map((sheet) => `<style>${sheet}</style>`)
          .join("")}<style>.late{color:rgb(2,3,4)}</style>` + '<p class="calm late">Calm words</p>',
      ),
    ];
    [browser, service] = await Promise.all([launch(), start({}, {}, { INBOX })]);
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), service?.stop()]);
  });

  const read = async (page: Page, subject: string): Promise<void> => {
    await page.goto(service.base);
    await rowOf(page, subject).click();
    await page.locator(".message h1", { hasText: subject }).waitFor();
  };
  const frame = (page: Page) => page.frameLocator(".message-frame");
  const background = (page: Page) =>
    frame(page)
      .locator(".mast")
      .evaluate((cell) => getComputedStyle(cell).backgroundColor);

  test("a newsletter has its own styles, adapts to a phone, and fits its screen [S15.7-1]", async () => {
    const { page, context } = await openPage(browser);
    await signIn(page, service.base);
    await read(page, "Newsletter");
    await expect.poll(() => background(page)).toBe("rgb(10, 92, 54)");
    await page.setViewportSize(PHONE);
    await expect.poll(() => background(page)).toBe("rgb(122, 31, 92)");
    const right = async () => {
      const cell = (await frame(page).getByText("end", { exact: true }).boundingBox())!;
      return cell.x + cell.width;
    };
    await expect.poll(right).toBeLessThanOrEqual(PHONE.width + 1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
    // The longest text wraps. The message is therefore scaled less than its own width would require.
    const scale = await frame(page)
      .locator("body")
      .evaluate((body) => Number(getComputedStyle(body).getPropertyValue("zoom")));
    expect(scale).toBeGreaterThan(0.3);
    if (process.env["PICTURES"] !== undefined) await page.screenshot({ path: `${process.env["PICTURES"]}/phone.png` });
    await page.setViewportSize({ width: 1360, height: 860 });
    await expect.poll(() => background(page)).toBe("rgb(10, 92, 54)");
    await context.close();
  });

  test("in the dark theme, mail without its own colours is shown dark and can be switched to white; other mail stays on white [S15.7-2]", async () => {
    const { page, context } = await openPage(browser, { colorScheme: "dark" });
    await signIn(page, service.base);
    const ground = () =>
      frame(page)
        .locator("html")
        .evaluate((root) => getComputedStyle(root).backgroundColor);
    await read(page, "Night words");
    await expect.poll(ground).toBe("rgb(22, 28, 26)");
    await expectAccessible(page, "a message in dark colours");
    await page.getByRole("button", { name: "Show original on white" }).click();
    await expect.poll(ground).toBe("rgb(255, 255, 255)");
    await page.getByRole("button", { name: "Show in dark colours" }).click();
    await expect.poll(ground).toBe("rgb(22, 28, 26)");
    await read(page, "Own colours");
    await expect.poll(ground).toBe("rgb(255, 255, 255)");
    expect(await page.getByRole("button", { name: /on white|dark colours/ }).count()).toBe(0);
    await page.emulateMedia({ colorScheme: "light" });
    await read(page, "Night words");
    await expect.poll(ground).toBe("rgb(255, 255, 255)");
    await context.close();
  });

  test("downloads all attachments as one file, shows a PDF, and shows the source [S15.7-4]", async () => {
    const { page, context } = await openPage(browser);
    await signIn(page, service.base);
    await read(page, "Two files");
    const [archive] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download all" }).click(),
    ]);
    expect(archive.suggestedFilename()).toBe("Two files.zip");
    const bytes = await readFile(await archive.path(), "latin1");
    for (const part of ["report.pdf", "%PDF-1.4", "costs.csv", "door,40"]) expect(bytes).toContain(part);
    await page.getByRole("button", { name: "Show report.pdf" }).click();
    expect((await page.locator('iframe[title="PDF report.pdf"]').boundingBox())!.height).toBeGreaterThan(100);
    await page.getByRole("button", { name: "Show costs.csv" }).click();
    await page.getByText("door,40").waitFor();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Show headers and source" }).click();
    await page.getByRole("dialog").getByText("Message-ID: <files@x.test>").waitFor();
    await expectAccessible(page, "the source of a message");
    await page.getByRole("button", { name: "Close" }).click();
    await context.close();
  });

  test("hostile style sheets fetch nothing, position nothing, and leave the other rules intact", async () => {
    const { page, context, origins } = await openPage(browser);
    await signIn(page, service.base);
    await read(page, "Hostile sheets");
    const calm = frame(page).getByText("Calm words");
    await calm.waitFor();
    expect(await calm.evaluate((one) => getComputedStyle(one).position)).toBe("static");
    expect(await calm.evaluate((one) => getComputedStyle(one).color)).toBe("rgb(2, 3, 4)");
    const rules = await frame(page)
      .locator("html")
      .evaluate((root) =>
        [...root.ownerDocument.styleSheets]
          .flatMap((sheet) => [...sheet.cssRules].map(({ cssText }) => cssText))
          .join("\n"),
      );
    expect(rules).not.toMatch(/tracker|url\(|@import|@font-face|expression/);
    expect([...origins]).toEqual([service.base]);
    await context.close();
  });

  test("prints the whole message and nothing else [S15.7-3]", async () => {
    const { page, context } = await openPage(browser);
    await signIn(page, service.base);
    await read(page, "Long letter");
    await frame(page).getByText("The very end.").waitFor();
    await page.evaluate(() => Object.assign(window, { print: () => document.body.classList.add("printed") }));
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Print" }).click();
    await page.locator("body.printed").waitFor();
    await page.getByRole("menu").waitFor({ state: "detached" });
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    expect(await page.locator("nav, aside, button, input, [role=toolbar]").filter({ visible: true }).count()).toBe(0);
    await page.locator(".message h1", { hasText: "Long letter" }).waitFor();
    const pdf = await page.pdf({
      format: "A4",
      ...(process.env["PICTURES"] === undefined ? {} : { path: `${process.env["PICTURES"]}/print.pdf` }),
    });
    expect(pdf.toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g)!.length).toBeGreaterThan(10);
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await page.emulateMedia({ media: "screen" });
    await page.getByRole("link", { name: "Reply", exact: true }).waitFor();
    await context.close();
  });
});
