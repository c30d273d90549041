import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { pythonTypes } from "../scripts/python-types.ts";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

it("the records of the Python client are those of the contract", () => {
  const contract = JSON.parse(read("../openapi.json")) as Parameters<typeof pythonTypes>[0];
  expect(read("../../client-python/src/postern/types.py")).toBe(pythonTypes(contract));
});
