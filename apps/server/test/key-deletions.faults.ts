import { Postgres } from "@postern/testkit";
import { Effect, ManagedRuntime } from "effect";
import { afterAll, expect, it } from "vitest";
import { deleteKeys, KEY_NODES } from "./key-deletions.ts";
import { sharedKeys } from "./server-nodes.ts";
import { started } from "./server-process.ts";

const DELETIONS = 1_000;

const postgres = ManagedRuntime.make(Postgres.own);
afterAll(() => postgres.dispose());

it(`two nodes accept no key after the answer to its deletion, in ${DELETIONS} deletions under load`, async () => {
  const url = await postgres.runPromise(Effect.flatMap(Postgres, ({ newDatabase }) => newDatabase));
  const environment = { ...(await sharedKeys()), ...KEY_NODES, DATABASE_URL: url, LOG_LEVEL: "warn" };
  const nodes = [(await started(environment)).base, (await started(environment)).base];
  const { accepted, late } = await deleteKeys(nodes, DELETIONS);
  expect(accepted).toBeGreaterThan(DELETIONS);
  expect(late).toBe(0);
});
