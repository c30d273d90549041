import { readFileSync } from "node:fs";
import { Effect } from "effect";
import { describe, expect, it } from "vitest";
import { readConfig, settingNames } from "../src/settings/config.ts";

const page = readFileSync(new URL("../../../docs/reference/configuration.md", import.meta.url), "utf8");

/** The rows of the page: a variable with its example and default; null if the default is not a plain value. */
const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| ([^|]+) \| [^|]+ \| `([^|]+)` \|/gm)].map(
  ([, name, otherwise, example]) => ({
    name: name!,
    otherwise: /^`([^`]+)`$/.exec(otherwise!)?.[1] ?? null,
    example: example!,
  }),
);

const configOf = (env: Readonly<Record<string, string>>) => Effect.runSync(readConfig(env, false));

/** The settings whose value is the path of a file; the files do not exist here. */
const FILES = ["MAIL_TLS_CA_FILE"];

describe("docs/reference/configuration.md", () => {
  it("has every setting once, and no other", () => {
    expect(rows.map(({ name }) => name).toSorted()).toEqual([...settingNames()].toSorted());
  });

  it("has examples that the service accepts and that are not the defaults", () => {
    const examples = Object.fromEntries(
      rows.filter(({ name }) => !FILES.includes(name)).map(({ name, example }) => [name, example]),
    );
    const config = configOf(examples);
    expect(config.strays).toEqual([]);
    const unchanged = Object.keys(examples).filter(
      (name) => rows.find((row) => row.name === name)!.otherwise === examples[name],
    );
    expect(unchanged).toEqual([]);
  });

  it("has the defaults of the service", () => {
    const defaults = rows.flatMap(({ name, otherwise }) => (otherwise === null ? [] : [[name, otherwise] as const]));
    expect(defaults.length).toBeGreaterThan(10);
    expect(configOf(Object.fromEntries(defaults))).toEqual(configOf({}));
  });
});

it("docs/spec 1.3 has settings of the service, with its defaults [S1.3-4] [S1.3-6] [S1.3-10] [S1.3-19] [S1.3-20] [S1.3-22] [S1.3-24]", () => {
  const spec = readFileSync(new URL("../../../docs/spec/1-running.md", import.meta.url), "utf8");
  const cells = [...spec.matchAll(/^\| (`[A-Z][^|]+) \| ([^|]+) \|/gm)].map(([, names, values]) =>
    [names!, values!].map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text!)),
  );
  const known = [...settingNames()];
  const names = cells.flatMap(([all]) => all!);
  expect(names.length).toBeGreaterThan(25);
  for (const name of names) expect(known, name).toContain(name);
  const shown = cells.flatMap(([all, values]) =>
    all!.length === values!.length ? all!.map((name, n) => [name, values![n]!] as const) : [],
  );
  const defaults = Object.fromEntries(shown.filter(([, value]) => !known.includes(value)));
  expect(Object.keys(defaults).length).toBeGreaterThan(10);
  expect(configOf(defaults)).toEqual(configOf({}));
});

it("docs/spec 10.4 has the defaults of the service [S10.4-1]", () => {
  const spec = readFileSync(new URL("../../../docs/spec/10-accounts.md", import.meta.url), "utf8");
  const section = spec.split("## 10.4")[1]!.split("## 10.5")[0]!;
  const shown = [...section.matchAll(/^\| `([A-Z_]+)` *\| (`[^`]+`|empty|unset) *\|/gm)].map(
    ([, name, text]) => [name!, /^`(.*)`$/.exec(text!)?.[1] ?? ""] as const,
  );
  expect(shown).toHaveLength(section.match(/^\| `[A-Z]/gm)!.length);
  expect(configOf(Object.fromEntries(shown))).toEqual(configOf({}));
});
