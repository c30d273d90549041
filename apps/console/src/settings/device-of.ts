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

/** What signed in, as far as it says: `Firefox on Linux`, else the beginning of what it calls itself. */
export const deviceOf = (userAgent: string): string => {
  const browser = first(BROWSERS, userAgent);
  const system = first(SYSTEMS, userAgent);
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  return userAgent.slice(0, 60) || "A program that does not say its name";
};
