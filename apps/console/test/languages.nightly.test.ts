import { readdirSync, readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, launch, openPage, updateImage } from "./chromium.ts";
import { rowOf, send } from "./mail-actors.ts";
import { ADMIN_KEY } from "./service.ts";
import { describeInSandbox, type World } from "./worlds.ts";

let browser: Browser;
let service: World;

const TEXTS = new URL("../src/texts/", import.meta.url);
const SLOW = { timeout: 240_000 };

/** Returns the English sources that are written the same in another language, such as `Name`. */
const same = (language: string): ReadonlySet<string> => {
  const files = readdirSync(new URL(`${language}/`, TEXTS));
  const all = files.map((file) => readFileSync(new URL(`${language}/${file}`, TEXTS), "utf8"));
  return new Set(
    all.flatMap((text) =>
      Object.entries(JSON.parse(text) as Record<string, string>).flatMap(([source, told]) =>
        source.replace(/ \[[^\]]+\]$/, "") === told ? [told] : [],
      ),
    ),
  );
};

/** A count that is written the same in English and French. */
const COUNT = /^(?:, )?\d+ messages$/;

/** Returns the texts and names that the console itself shows: not those of mail, folders, code and languages. */
const textsOf = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() => {
    const others =
      "[dir=auto], bdi, code, pre, kbd, .mono, time, .row, .message-body, .wordmark, .select-button, style, script";
    const found: Array<string | null> = [];
    for (const element of document.body.querySelectorAll("*")) {
      if (!element.checkVisibility() || element.closest(others) !== null) continue;
      for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) found.push(node.textContent);
      for (const name of ["aria-label", "title", "placeholder", "alt"]) found.push(element.getAttribute(name));
    }
    return found.flatMap((text) =>
      text !== null && /\p{L}{2}/u.test(text) && !text.includes("@") ? [text.trim()] : [],
    );
  });

const PAGES = {
  inbox: "/mail/inbox",
  composer: "/compose",
  outbox: "/outbox",
  search: "/search?q=lunch",
  reading: "/settings/reading",
  writing: "/settings/writing",
  folders: "/settings/folders",
  sessions: "/settings/sessions",
  account: "/settings/account",
  approvals: "/settings/approvals",
  assistants: "/settings/assistants",
  audit: "/settings/audit",
  webhooks: "/settings/webhooks",
  endpoint: "/settings/webhooks/new",
} as const;

/** A page of a browser in a language. */
const openIn = async (locale: string) => {
  const opened = await openPage(browser, { locale });
  const { page } = opened;
  const html = () => page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]);
  const signIn = async (password = "demo"): Promise<void> => {
    await page.locator("input[name=email]").fill("demo@postern.test");
    await page.locator("input[name=password]").fill(password);
    await page.locator("button[type=submit]").click();
  };
  const visit = async (path: string): Promise<void> => {
    await page.goto(`${service.base}${path}`);
    await page.locator(":is(h1, h2):visible").first().waitFor();
    await page.locator(".bone").first().waitFor({ state: "detached" });
  };
  return { ...opened, html, signIn, visit };
};

interface Shown {
  readonly title: string;
  readonly texts: ReadonlyArray<string>;
}

/** Visits the pages in a language, and returns what each shows. */
const visitAll = async (locale: string, look: (page: Page, name: string) => Promise<void>) => {
  const { page, context, html, signIn, visit } = await openIn(locale);
  const shown = new Map<string, Shown>();
  const note = async (name: string): Promise<void> => {
    shown.set(name, { title: await page.title(), texts: await textsOf(page) });
    await look(page, name);
  };
  await visit("/");
  await note("sign-in");
  await signIn("wrong");
  await page.locator(".notice.bad").waitFor();
  await note("refused sign-in");
  await signIn();
  await page.locator(".row").first().waitFor();
  for (const [name, path] of Object.entries(PAGES)) {
    await visit(path);
    await note(name);
  }
  await visit("/mail/inbox");
  await page.locator(".row").nth(1).click();
  await page.locator("article").waitFor();
  await note("message");
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
  await note("shortcuts");
  const language = await html();
  await context.close();
  return { shown, language };
};

describeInSandbox("languages", (start) => {
  let english: ReadonlyMap<string, Shown>;

  beforeAll(async () => {
    [browser, service] = await Promise.all([launch(), start({ ADMIN_KEY })]);
    english = (await visitAll("en-GB", async () => {})).shown;
  }, SLOW.timeout);

  afterAll(async () => {
    await Promise.all([browser?.close(), service?.stop()]);
  });

  test.for([
    ["de", "ltr"],
    ["fr", "ltr"],
    ["ar", "rtl"],
  ] as const)("a browser in %s gets no English, %s [S15.9-1]", SLOW, async ([locale, dir]) => {
    const shared = same(locale);
    const { shown, language } = await visitAll(locale, (page, name) => expectAccessible(page, `${name}, ${locale}`));
    expect(language).toEqual([locale, dir]);
    for (const [name, { title, texts }] of shown) {
      const before = english.get(name)!;
      expect(texts.length, name).toBeGreaterThan(3);
      const known = new Set(before.texts);
      expect(
        [...new Set(texts)].filter((text) => known.has(text) && !shared.has(text) && !COUNT.test(text)),
        name,
      ).toEqual([]);
      if (!shared.has(before.title.replace(/ · Postern$/, ""))) expect(title, name).not.toBe(before.title);
      expect(title, name).toMatch(/Postern/);
    }
  });

  test("a page in Arabic runs from right to left, and mail keeps its own direction", SLOW, async () => {
    const text = "مرحبًا،\n\nنلتقي يوم الخميس في الساعة العاشرة صباحًا في مبنى البلدية. أحضروا الرسومات.\n\nسام\n";
    await send(service.base, "موعد الاجتماع القادم", { to: "demo@postern.test", text });
    const { page, context, signIn, visit } = await openIn("ar");
    await visit("/");
    await signIn();
    await rowOf(page, "موعد الاجتماع").click();
    await page.locator("article h1").waitFor();
    await updateImage(page, "inbox-arabic.png");
    await page.locator(".row:not(.here)").first().click();
    await page.locator("article").waitFor();
    const left = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((one) => one.getBoundingClientRect().left);
    const [rail, list, read] = [await left(".shell-rail"), await left(".mail-list"), await left(".mail-read")];
    expect([rail > list, list > read]).toEqual([true, true]);
    const subject = page.locator("article h1, article h2").first();
    expect(await subject.evaluate((one) => getComputedStyle(one).direction)).toBe("ltr");
    expect(await subject.evaluate((one) => getComputedStyle(one).textAlign)).toBe("right");
    const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    expect(inner).toBeLessThanOrEqual(outer!);
    await page.locator(".tools button").last().click();
    await page.getByRole("menuitem").last().click();
    expect(
      await page
        .locator("em")
        .first()
        .evaluate((one) => getComputedStyle(one).fontStyle),
    ).toBe("normal");
    await context.close();
  });

  test("a phone in German shows rows of links that scroll, with the current one in view", SLOW, async () => {
    const { page, context, signIn, visit } = await openIn("de-DE");
    await page.setViewportSize({ width: 390, height: 844 });
    await visit("/");
    await signIn();
    await page.locator(".row").first().waitFor();
    const box = async (selector: string) => (await page.locator(selector).boundingBox())!;
    await visit("/settings/webhooks");
    const [nav, here] = [await box(".settings-nav"), await box(".tab.here")];
    expect(nav.height).toBeLessThan(2 * here.height);
    expect(here.x >= 0 && here.x + here.width <= 390).toBe(true);
    await visit("/mail/trash");
    const [filters, filter] = [await box(".filters"), await box(".filter.here")];
    expect(filters.width).toBeGreaterThan(filter.width);
    await context.close();
  });

  test("an address that is too long loses its end, also in Arabic", SLOW, async () => {
    const to = "the-whole-office-beside-the-old-harbour@postern.test";
    await send(service.base, "The whole office", { to }, "demo@postern.test");
    const { page, context, signIn, visit } = await openIn("ar");
    await visit("/");
    await signIn();
    await page.locator(".row").first().waitFor();
    await visit("/mail/sent");
    const isShown = await rowOf(page, "The whole office")
      .locator(".row-who")
      .evaluate((who) => {
        const texts = document.createTreeWalker(who, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
          const begin = texts.currentNode.textContent!.indexOf("the-whole");
          if (begin < 0) continue;
          const range = document.createRange();
          range.setStart(texts.currentNode, begin);
          range.setEnd(texts.currentNode, begin + "the-whole".length);
          return range.getBoundingClientRect().left >= who.getBoundingClientRect().left;
        }
        return false;
      });
    expect(isShown).toBe(true);
    await context.close();
  });

  test("a browser in a language that the console lacks gets English [S15.9-1]", SLOW, async () => {
    const { page, context, html, visit } = await openIn("es-ES");
    await visit("/");
    expect(await html()).toEqual(["en", "ltr"]);
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    expect(await textsOf(page)).toEqual(english.get("sign-in")!.texts);
    await context.close();
  });

  test("a chosen language acts at once, and stays [S15.9-2]", SLOW, async () => {
    const { page, context, html, signIn, visit } = await openIn("en-GB");
    const choose = async (from: string, label: string, to: string): Promise<void> => {
      await page.getByRole("button", { name: `${from} ${label}` }).click();
      await page.getByRole("option", { name: to }).click();
    };
    await visit("/");
    await choose("English", "Language", "Deutsch");
    await page.getByRole("heading", { name: "Anmelden" }).waitFor();
    expect(await html()).toEqual(["de", "ltr"]);
    await signIn();
    await page.locator(".row").first().waitFor();
    await visit("/settings/reading");
    await choose("Deutsch", "Sprache", "Français");
    await page.getByRole("heading", { name: "Lecture" }).waitFor();
    expect(await html()).toEqual(["fr", "ltr"]);
    expect(await page.title()).toBe("Lecture · Postern");
    await page.reload();
    await page.getByRole("heading", { name: "Lecture" }).waitFor();
    expect(await html()).toEqual(["fr", "ltr"]);
    await context.close();
  });
});
