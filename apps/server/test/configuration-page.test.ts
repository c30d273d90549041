import { readFileSync } from "node:fs";
import { Effect } from "effect";
import { describe, expect, it } from "vitest";
import { readConfig, settingNames } from "../src/config.ts";

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

/** The settings whose value is a file, which does not exist here. */
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
