import { t } from "../texts/text.ts";

const BROWSERS = [
  [/\bEdgA?\//, "Edge"],
  [/\bFirefox\//, "Firefox"],
  [/\bOPR\//, "Opera"],
  [/\b(Headless)?Chrome\//, "Chrome"],
  [/\bSafari\//, "Safari"],
] as const;

const SYSTEMS = [
  [/\b(iPhone|iPad)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
] as const;

const first = (rules: ReadonlyArray<readonly [RegExp, string]>, text: string): string | undefined =>
  rules.find(([rule]) => rule.test(text))?.[1];

/** Returns the browser and system, such as `Firefox on Linux`, or the beginning of the User-Agent. */
export const deviceOf = (userAgent: string): string => {
  const browser = first(BROWSERS, userAgent);
  const system = first(SYSTEMS, userAgent);
  if (browser !== undefined) return system === undefined ? browser : t("{browser} on {system}", { browser, system });
  return userAgent.slice(0, 60) || t("Unknown client");
};
