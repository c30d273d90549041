import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { BROKEN_REQUESTS, writeBroken } from "../src/process/broken-request.ts";

const page = readFileSync(new URL("../../../docs/reference/errors.md", import.meta.url), "utf8");

/** The examples in the section about requests that reach no handler. */
const examples = page
  .split(/^## /m)
  .filter((section) => section.startsWith("Requests that cannot be read"))
  .flatMap((section) => [...section.matchAll(/^```json\n([^]*?)^```$/gm)].map(([, json]) => JSON.parse(json!)));

it("the error catalogue has an example of every broken request whose code no other request shares", () => {
  const shared = ["invalid_request", "method_not_allowed"];
  const own = BROKEN_REQUESTS.filter(({ code }) => !shared.includes(code));
  const byCode = (a: { readonly code: string }, b: { readonly code: string }) => a.code.localeCompare(b.code);
  expect(examples.toSorted(byCode)).toEqual(
    own.toSorted(byCode).map((one) => JSON.parse(writeBroken(one, "Jx0bZ1hD3lqXjR7a").body)),
  );
});
