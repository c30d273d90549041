import { readdirSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { assert, describe, it } from "@effect/vitest";
import { sql } from "kysely";
import { migrate } from "../src/database/migrate.ts";
import { migrations } from "../src/migrations/index.ts";
import { directKysely } from "../src/sqlite/direct-kysely.ts";

const names = migrations.map(({ name }) => name);

describe("the list of migrations", () => {
  it("contains every file of its folder, in the order of their numbers", () => {
    const folder = new URL("../src/migrations/", import.meta.url);
    const files = readdirSync(folder).filter((file) => /^\d/.test(file));
    const ofFiles = files.toSorted().map((file) => file.replace(/\.ts$/, ""));
    assert.deepStrictEqual(
      names.filter((name) => ofFiles.includes(name)),
      ofFiles,
    );
  });

  it("numbers its steps from 0001 without a gap", () => {
    const numbers = names.map((name) => name.slice(0, 5));
    assert.deepStrictEqual(
      numbers,
      names.map((_, n) => `${String(n + 1).padStart(4, "0")}-`),
    );
  });

  // A database with an unknown migration is refused as too new; a database without a migration's name would run the
  // migration again.
  it("keeps the names that existing databases recorded", () => {
    assert.deepStrictEqual(names.slice(0, 17), [
      "0001-sign-in-and-folders",
      "0002-sessions",
      "0003-service-secrets",
      "0004-folder-removals",
      "0005-uploads",
      "0006-outgoing-mail",
      "0007-events",
      "0008-webhooks",
      "0009-arrivals",
      "0010-moved-messages",
      "0011-bounces",
      "0012-send-retention",
      "0013-write-probe",
      "0014-removal-attempts",
      "0015-delivery-order",
      "0016-erasures",
      "0017-seen-from",
    ]);
  });
});

it("the addresses with a stored credential become accounts that are not managed [S10.3-43]", async () => {
  const db = directKysely(new DatabaseSync(":memory:"));
  const upTo = (name: string | undefined) =>
    migrate(db, migrations.slice(0, name === undefined ? undefined : names.indexOf(name)), 1, async () => {});
  await upTo("0021-accounts");
  await sql`insert into credential (account, version, kept_at, sealed) values ('ann@x.test', 1, 1700000000000, 's')`.execute(
    db,
  );
  await upTo(undefined);
  const { rows } = await sql`select account, domain, managed, tags, created_at from account`.execute(db);
  assert.deepEqual(rows, [
    { account: "ann@x.test", domain: "x.test", managed: 0, tags: "[]", created_at: 1_700_000_000_000 },
  ]);
});

it("messages keep the state that their record has", async () => {
  const db = directKysely(new DatabaseSync(":memory:"));
  const before = names.indexOf("0038-outgoing-states");
  await migrate(db, migrations.slice(0, before), 1, async () => {});
  const records = {
    unknown: { recipients: ["sent", "unknown"] },
    sent: { recipients: ["sent", "queued"] },
    sending: { recipients: ["dot", "queued"] },
    held: { recipients: ["queued"], heldSince: 5 },
    scheduled: { recipients: ["queued"], scheduledFor: 9, attemptAt: 9 },
    queued: { recipients: ["queued", "failed"], scheduledFor: 9, attemptAt: 10 },
    cancelled: { recipients: ["cancelled", "failed"] },
    failed: { recipients: ["failed"] },
  };
  for (const [state, { recipients, ...more }] of Object.entries(records)) {
    const record = JSON.stringify({
      scheduledFor: null,
      attemptAt: null,
      ...more,
      recipients: recipients.map((one) => ({ state: one })),
    });
    await sql`insert into outgoing (id, account, message_id, created_at, record)
      values (${state}, 'a@x.test', '', 1, ${record})`.execute(db);
  }
  await sql`insert into outgoing (id, account, message_id, created_at, record)
    select 'n' || value, 'a@x.test', '', 1, 'damaged'
    from json_each('[${sql.raw(Array.from({ length: 600 }, (_, n) => n).join())}]')`.execute(db);
  await migrate(db, migrations.slice(0, before + 1), 1, async () => {});
  const { rows } = await sql<{
    id: string;
    state: string;
  }>`select id, state from outgoing where record <> 'damaged'`.execute(db);
  assert.lengthOf(rows, Object.keys(records).length);
  for (const { id, state } of rows) assert.strictEqual(state, id);
  const { rows: damaged } = await sql`select distinct state from outgoing where record = 'damaged'`.execute(db);
  assert.deepEqual(damaged, [{ state: "failed" }]);
});
