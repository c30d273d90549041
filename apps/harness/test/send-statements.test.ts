import { DatabaseSync, StatementSync } from "node:sqlite";
import { it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { expect, onTestFinished, vi } from "vitest";
import { beforeTheEnd, statementsOfMessage } from "./send-statements.ts";
import { sqliteStores } from "./sql-stores.ts";

/** Logs the statements of all embedded databases until the test ends. */
const loggedStatements = (): ReadonlyArray<string> => {
  const log: Array<string> = [];
  for (const method of ["all", "get", "run"] as const) {
    const plain: (...given: Array<any>) => any = StatementSync.prototype[method];
    vi.spyOn(StatementSync.prototype, method).mockImplementation(function (this: StatementSync, ...given: Array<any>) {
      log.push(this.sourceSQL);
      return plain.apply(this, given);
    });
  }
  const plain: (text: string) => void = DatabaseSync.prototype["exec"];
  vi.spyOn(DatabaseSync.prototype, "exec").mockImplementation(function (this: DatabaseSync, text) {
    log.push(text);
    plain.call(this, text);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  return log;
};

it.live("a message takes 29 statements on SQLite, six of them the bounds of transactions", () =>
  Effect.gen(function* () {
    const log = loggedStatements();
    const statements = yield* statementsOfMessage(Layer.orDie(sqliteStores), log);
    const inserts = [
      "insert outgoing",
      "insert outgoing_recipient",
      "insert outgoing_contents",
      "select credential",
      "insert audit_entry",
    ];
    const end = ["begin", "update outgoing", "delete outgoing_contents", "commit"];
    expect(statements).toEqual([...beforeTheEnd(inserts), ...end, "select session"]);
  }).pipe(Effect.scoped),
);
