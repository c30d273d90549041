import { afterEach, expect, test, vi } from "vitest";
import { folderName } from "../src/shell/folders.ts";
import { listText, numberText } from "../src/texts/formats.ts";
import { showLanguage } from "../src/texts/language.ts";
import { bytes } from "../src/ui/bytes.ts";
import { dayAndTime } from "../src/ui/time.ts";

const show = async (language: string): Promise<void> => {
  vi.stubGlobal("localStorage", { getItem: () => null });
  vi.stubGlobal("navigator", { languages: [language] });
  vi.stubGlobal("document", { documentElement: {} });
  await showLanguage();
};

afterEach(async () => {
  await show("en");
  vi.unstubAllGlobals();
});

test("dates, numbers, sizes, lists and folders are written as in the language [S15.9-3]", async () => {
  const written = () => [
    numberText(1_234.5),
    bytes(1_600),
    listText(["Ann", "Bob", "Cy"]),
    folderName({ role: "inbox", name: "INBOX" }),
    dayAndTime("2026-03-02T12:00:00Z").slice(0, 10),
  ];
  await show("en-GB");
  expect(written()).toEqual(["1,234.5", "1.6 KB", "Ann, Bob and Cy", "Inbox", "2 Mar 2026"]);
  await show("de-DE");
  expect(written()).toEqual(["1.234,5", "1,6 KB", "Ann, Bob und Cy", "Posteingang", "02.03.2026"]);
  await show("fr");
  expect(written().slice(1, 4)).toEqual(["1,6 Ko", "Ann, Bob et Cy", "Boîte de réception"]);
});
