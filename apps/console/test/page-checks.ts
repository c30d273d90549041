import type { Page } from "playwright-core";
import { expect } from "vitest";
import { expectAccessible } from "./chromium.ts";

export type ColorScheme = "light" | "dark";

const WIDTHS = [360, 820, 1360];
const [PHONE, DESKTOP] = [WIDTHS[0]!, WIDTHS.at(-1)!];
const HEIGHT = 860;

/** Returns controls lower or narrower than 44 px (WCAG 2.5.5), except links within a sentence. */
const smallTargets = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() => {
    const pressed = "a[href], button, summary, input, textarea, [role=menuitem], [role=option]";
    return [...document.querySelectorAll<HTMLElement>(pressed)].flatMap((element) => {
      const target = element.closest("label") ?? element;
      const { display, visibility } = getComputedStyle(target);
      const { width, height } = target.getBoundingClientRect();
      const isShown = target.checkVisibility() && visibility === "visible" && height > 1;
      // One pixel: visible to screen readers only.
      const isUnseen = target.parentElement!.getBoundingClientRect().width <= 1;
      const isSkipped = display === "inline" || target.matches(".skip") || isUnseen;
      return isShown && !isSkipped && Math.min(width, height) < 43.5
        ? [`${Math.round(width)} × ${Math.round(height)}: ${target.outerHTML.slice(0, 100)}`]
        : [];
    });
  });

/**
 * Returns a check of a page: axe on a desktop and on a phone, and layout shift. The widths and the touch targets on a
 * phone are checked in one theme only, because both themes have the same sizes. The page has a desktop's width
 * afterwards.
 */
export const pageCheck = async (page: Page, colorScheme: ColorScheme) => {
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Array<PerformanceEntry & { value: number; hadRecentInput: boolean }>) {
        if (!entry.hadRecentInput)
          Reflect.set(window, "shift", Number(Reflect.get(window, "shift") ?? 0) + entry.value);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  const resize = (width: number) => page.setViewportSize({ width, height: HEIGHT });
  return async (what: string): Promise<void> => {
    await page.waitForLoadState("load");
    await expectAccessible(page, `${what}, ${colorScheme}`);
    expect(await page.evaluate(() => Number(Reflect.get(window, "shift") ?? 0)), `shift of ${what}`).toBeLessThan(0.02);
    for (const width of colorScheme === "light" ? WIDTHS : [PHONE]) {
      await resize(width);
      const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
      expect(inner, `${what} at ${width}`).toBeLessThanOrEqual(outer!);
      if (width !== PHONE) continue;
      await expectAccessible(page, `${what} on a phone, ${colorScheme}`);
      if (colorScheme === "light") expect(await smallTargets(page), `targets of ${what}`).toEqual([]);
    }
    await resize(DESKTOP);
  };
};
