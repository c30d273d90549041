import { describeWithChromium, describeWithDovecot } from "@postern/testkit";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, launch, openPage, signIn } from "./chromium.ts";
import { rowOf, told } from "./mail-actors.ts";
import { startOnDovecot, type World } from "./worlds.ts";

let browser: Browser;
let service: World;

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkqGeoZwAGgAGAxWjTVwAAAABJRU5ErkJggg==";
const QUOTED = ["On Mon, 2 Nov 2026 at 10:00, Bo <bo@example.test> wrote:", "> Does Tuesday work?", "> Bo"];

const mail = (subject: string, fields: ReadonlyArray<string>, lines: ReadonlyArray<string>): string =>
  [
    "From: Ann <ann@example.test>",
    "To: demo@postern.test",
    `Subject: ${subject}`,
    `Message-ID: <${subject.replaceAll(" ", "-")}@example.test>`,
    "MIME-Version: 1.0",
    ...fields,
    "",
    ...lines,
    "",
  ].join("\r\n");

const HTML = ["Content-Type: text/html; charset=utf-8"];

const part = (type: string, name: string, encoding: string, text: string) =>
  [
    "--cut",
    `Content-Type: ${type}; name="${name}"`,
    `Content-Disposition: attachment; filename="${name}"`,
    `Content-Transfer-Encoding: ${encoding}`,
    "",
    text,
  ] as const;

const answers = (parent: string) => [`In-Reply-To: <${parent}@example.test>`, `References: <Stairs@example.test>`];

const MAILS = {
  Talks: [
    mail("Stairs", [], ["Oak or ash?"]),
    mail("Re: Stairs", answers("Stairs"), ["Ash, please."]),
    mail("Re: Re: Stairs", answers("Re:-Stairs"), ["Ash it is."]),
  ],
  Reading: [
    mail("Quoted text", [], ["Tuesday works.", "", ...QUOTED]),
    mail(
      "Quoted html",
      ['Content-Type: multipart/alternative; boundary="cut"'],
      [
        "--cut",
        "Content-Type: text/plain",
        "",
        "Tuesday works.",
        ...QUOTED,
        "--cut",
        ...HTML,
        "",
        "<p>Tuesday works.</p>",
        "<div>On Mon, 2 Nov 2026 at 10:00, Bo wrote:<blockquote>Does Tuesday work?</blockquote></div>",
        "--cut--",
      ],
    ),
    mail("Answers within", [], [QUOTED[0]!, "> First question?", "Answer one.", "> Second question?", "Answer two."]),
    mail("Forged", ["Authentication-Results: mx.postern.test; spf=fail; dkim=none; dmarc=fail"], ["Pay this bill."]),
    mail("Remote pictures", HTML, ['<p>Look</p><img src="https://pictures.example/p.gif">']),
    mail(
      "With files",
      ['Content-Type: multipart/mixed; boundary="cut"'],
      [
        "--cut",
        "Content-Type: text/plain",
        "",
        "Two files.",
        ...part("image/png", "dot.png", "base64", PIXEL),
        ...part("text/csv", "costs.csv", "7bit", "door,40"),
        "--cut--",
      ],
    ),
  ],
};

const read = async (page: Page, subject: string): Promise<void> => {
  await rowOf(page, subject).click();
  await page.getByRole("heading", { name: subject }).waitFor();
};

describeWithDovecot("reading in the browser", () =>
  describeWithChromium("on Dovecot", () => {
    beforeAll(async () => {
      [browser, service] = await Promise.all([launch(), startOnDovecot({}, MAILS)]);
    });

    afterAll(async () => {
      await Promise.all([browser?.close(), service?.stop()]);
    });

    const openFolder = async () => {
      const opened = await openPage(browser);
      await signIn(opened.page, service.base);
      await opened.page.getByRole("link", { name: /^Reading/ }).click();
      await rowOf(opened.page, "With files").waitFor();
      return opened;
    };

    test("quoted text is folded in text and HTML, and answers within it are not", async () => {
      const { page, context, faults } = await openFolder();
      await read(page, "Quoted text");
      const article = page.locator("article");
      await article.getByText("Tuesday works.").waitFor();
      expect(await article.getByText("Does Tuesday work?").count()).toBe(0);
      await page.getByRole("button", { name: "Show quoted text" }).press("Enter");
      await article.getByText("Does Tuesday work?").waitFor();

      await read(page, "Quoted html");
      const quote = page.frameLocator(".message-frame").getByText("Does Tuesday work?");
      await page.getByRole("button", { name: "Show quoted text" }).waitFor();
      expect(await quote.isVisible()).toBe(false);
      await page.getByRole("button", { name: "Show quoted text" }).click();
      await quote.waitFor();
      await page.getByRole("button", { name: "Hide quoted text" }).click();
      await quote.waitFor({ state: "hidden" });

      await read(page, "Answers within");
      await article.getByText("Answer two.").waitFor();
      expect(await page.getByRole("button", { name: "Show quoted text" }).count()).toBe(0);
      expect(faults).toEqual([]);
      await context.close();
    });

    test("a message that fails DMARC has a warning, and pictures and texts are shown with the message", async () => {
      const { page, context, faults } = await openFolder();
      await read(page, "Forged");
      await page.getByText("This message may not be from ann@example.test: mx.postern.test reports").waitFor();
      await expectAccessible(page, "a warning");
      await page.getByText("To 1 person").click();
      await page.getByText("SPF fail, DKIM none, DMARC fail, by mx.postern.test").waitFor();

      await read(page, "With files");
      await expect
        .poll(() =>
          page.getByRole("img", { name: "dot.png" }).evaluate((image) => (image as HTMLImageElement).naturalWidth),
        )
        .toBe(1);
      await page.getByText("Show costs.csv").click();
      await page.getByLabel("costs.csv", { exact: true }).getByText("door,40").waitFor();
      await expectAccessible(page, "attachments");
      expect(faults).toEqual([]);
      await context.close();
    });

    test("remote pictures are shown for a remembered sender until it is forgotten", async () => {
      const { page, context, faults } = await openFolder();
      let fetched = 0;
      await context.route("https://pictures.example/**", (route) => {
        fetched++;
        return route.fulfill({ contentType: "image/png", body: Buffer.from(PIXEL, "base64") });
      });
      await read(page, "Remote pictures");
      await page.getByRole("button", { name: "Show images", exact: true }).waitFor();
      expect(fetched).toBe(0);
      await page.getByRole("button", { name: "Always show images of ann@example.test" }).click();
      await expect.poll(() => fetched).toBe(1);
      await page.reload();
      await page.frameLocator(".message-frame").getByText("Look").waitFor();
      await expect.poll(() => fetched).toBe(2);

      await page.goto(`${service.base}/settings/reading`);
      await page.getByRole("list", { name: "Senders" }).waitFor();
      await expectAccessible(page, "reading settings");
      await page.getByRole("button", { name: "Forget ann@example.test" }).click();
      await told(page, "Images of ann@example.test are loaded only when you ask for them.");
      await page.getByText("No senders yet").waitFor();
      await page.goBack();
      await page.getByRole("button", { name: "Show images", exact: true }).waitFor();
      expect(faults).toEqual([]);
      await context.close();
    });

    test("a message is shown with the earlier and later messages of its conversation, unless that is turned off", async () => {
      const { page, context, faults } = await openPage(browser);
      await signIn(page, service.base);
      await page.getByRole("link", { name: /^Talks/ }).click();
      await page.locator(".row").nth(1).click();
      const article = page.locator("article");
      await article.getByText("Ash, please.").waitFor();
      const later = page.getByRole("region", { name: "Later messages" });
      await later.getByText("Ash it is.").waitFor();
      const earlier = page.getByRole("region", { name: "Earlier messages" });
      expect(await earlier.getByText("Oak or ash?").count()).toBe(0);
      await earlier.getByRole("button", { name: "Show 1 earlier message" }).press("Enter");
      await earlier.getByRole("button", { name: /^Ann/ }).press("Enter");
      await earlier.getByText("Oak or ash?").waitFor();
      await expectAccessible(page, "a conversation");

      await page.goto(`${service.base}/settings/reading`);
      await page.getByText("Show a message with the others of its conversation").click();
      await page.goBack();
      await article.getByText("Ash, please.").waitFor();
      expect(await earlier.count()).toBe(0);
      expect(faults).toEqual([]);
      await context.close();
    });

    test("an account is erased after its address has been typed", async () => {
      const { page, context, faults } = await openPage(browser);
      await signIn(page, service.base);
      await page.goto(`${service.base}/settings/account`);
      await page.getByRole("button", { name: "Erase the account" }).press("Enter");
      await page.getByLabel("Type demo@postern.test to confirm").fill("someone@postern.test");
      await page.keyboard.press("Enter");
      await page.getByText("This is not the address of the account.").waitFor();
      await expectAccessible(page, "erasing an account");
      await page.getByLabel("Type demo@postern.test to confirm").fill("demo@postern.test");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      await signIn(page, service.base);
      expect(faults).toEqual([]);
      await context.close();
    });
  }),
);
