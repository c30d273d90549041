import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { describeWithPostgres } from "../src/index.ts";

/** Makes a database in two layers, and returns the folder of each layer. */
const PROGRAM = `
import { Postgres } from "@postern/testkit";
import { Effect } from "effect";
import { Client } from "pg";
const where = Effect.provide(Effect.flatMap(Postgres, ({ newDatabase }) => newDatabase), Postgres.layer);
const said = [];
for (const url of [await Effect.runPromise(where), await Effect.runPromise(where)]) {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("select current_database() as name, current_setting('data_directory') as folder");
  said.push(rows[0]);
  await client.end();
}
console.log(JSON.stringify(said));
`;

describeWithPostgres(
  "the PostgreSQL of a process",
  () => {
    it("serves all layers, does not keep the process alive, and is removed with it and with its folder", async () => {
      const { TEST_DATABASE_URL: _, ...env } = process.env;
      const options = ["--conditions=@postern/source", "--input-type=module", "-e", PROGRAM];
      const { stdout } = await promisify(execFile)(process.execPath, options, {
        cwd: resolve(import.meta.dirname, ".."),
        env,
      });
      const [one, other] = JSON.parse(stdout) as ReadonlyArray<Readonly<Record<"name" | "folder", string>>>;
      expect(other!.name).not.toBe(one!.name);
      expect(other!.folder).toBe(one!.folder);
      await expect.poll(() => existsSync(resolve(one!.folder, ".."))).toBe(false);
    });
  },
  { own: true },
);
