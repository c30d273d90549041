import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const read = (path: string): string => readFileSync(new URL(`../../../docs/${path}`, import.meta.url), "utf8");

interface Shape {
  readonly properties?: Readonly<Record<string, { readonly enum?: ReadonlyArray<unknown> }>>;
  readonly required?: ReadonlyArray<string>;
}

it("docs/reference/shapes.md has every record of the contract, with its fields", () => {
  const { components } = JSON.parse(read("../packages/api/openapi.json")) as {
    readonly components: { readonly schemas: Readonly<Record<string, Shape>> };
  };
  const records = Object.entries(components.schemas).flatMap(([name, { properties, required = [] }]) =>
    properties === undefined || properties["code"]?.enum !== undefined
      ? []
      : [[name, Object.keys(properties).map((field) => (required.includes(field) ? field : `${field}?`))] as const],
  );
  const rows = [...read("reference/shapes.md").matchAll(/^\| <a id="(\w+)"><\/a>\*\*(\w+)\*\*:[^|]* \| ([^|]*) \|/gm)];
  expect(records.length).toBeGreaterThan(40);
  expect(Object.fromEntries(rows.map(([, , name, fields]) => [name, fields!.replaceAll("`", "").split(", ")]))).toEqual(
    Object.fromEntries(records),
  );
  for (const [, anchor, name] of rows) expect(anchor).toBe(name!.toLowerCase());
});
