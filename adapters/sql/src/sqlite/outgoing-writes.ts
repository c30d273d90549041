import type { DatabaseSync } from "node:sqlite";
import type { Durability, OutgoingWrites } from "../database/Engine.ts";
import { inOneStep, prepareOnce } from "./one-step.ts";

/** Returns the writes over this database, each in one synchronous step. */
export const outgoingWritesIn = (database: DatabaseSync, durability: Durability | undefined): OutgoingWrites => {
  const insert = prepareOnce(
    database,
    `insert into outgoing (id, account, key_id, application, waits_for, state, message_id, provider_message_id,
      created_at, due_at, lease_token, finished_at, record)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const address = prepareOnce(
    database,
    "insert into outgoing_recipient (outgoing_id, address, account, created_at) values (?, ?, ?, ?)",
  );
  const fill = prepareOnce(database, "insert into outgoing_contents (id, contents) values (?, ?)");
  const finish = prepareOnce(
    database,
    `update outgoing set provider_message_id = ?, state = ?, asked = null, record = ?, finished_at = ?,
      lease_token = null, due_at = null
    where id = ? and lease_token = ?`,
  );
  const empty = prepareOnce(database, "delete from outgoing_contents where id = ?");

  return {
    insert: async (_, { message, recipients, contents }) =>
      inOneStep(database, () => {
        const { id, account, message_id, provider_message_id, created_at, due_at, lease_token, finished_at } = message;
        const { key_id, application, waits_for, state } = message;
        const times = [created_at, due_at, lease_token, finished_at] as const;
        insert.run(
          id,
          account,
          key_id,
          application,
          waits_for,
          state,
          message_id,
          provider_message_id,
          ...times,
          message.record,
        );
        for (const one of recipients) address.run(one.outgoing_id, one.address, one.account, one.created_at);
        fill.run(id, contents);
      }),

    finish: async (_, finished) => {
      const isWhole = !database.isTransaction;
      const ours = inOneStep(database, () =>
        finished.filter(({ id, token, provider_message_id, state, record, finished_at }) => {
          if (finish.run(provider_message_id, state, record, finished_at, id, token) === 0) return false;
          empty.run(id);
          return true;
        }),
      );
      if (isWhole) durability?.overlook();
      return ours.map(({ id }) => id);
    },
  };
};
