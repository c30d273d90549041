import { expect, test } from "vitest";
import { zipNames } from "../src/mail/files/zip-names.ts";

test("names each file of an archive once, without folders", () => {
  expect(zipNames(["a.pdf", "A.pdf", "a.pdf", "../etc/passwd", "c:\\x", null, "", ".env", ".env"])).toEqual([
    "a.pdf",
    "A (2).pdf",
    "a (3).pdf",
    ".._etc_passwd",
    "c:_x",
    "Unnamed file",
    "Unnamed file (2)",
    ".env",
    ".env (2)",
  ]);
});
