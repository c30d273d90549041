import { Client } from "pg";
import { expect } from "vitest";
import { sharedKeys } from "./server-nodes.ts";
import { post } from "./server-process.ts";

const PATH = "/api/settings/webhooks";

/** Adds an endpoint; returns its id. */
export const addEndpoint = async (base: string, token: string, settings: object): Promise<string> => {
  const answer = await post(base, PATH, { events: ["email.deleted"], ...settings }, token);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { readonly data: { readonly id: string } }).data.id;
};

/** Disables an endpoint, which raises `webhook.disabled`. */
export const disableEndpoint = (base: string, token: string, id: string) =>
  post(base, `${PATH}/${id}/disable`, {}, token);

/** Returns the environment of processes that share a database, and a function to query it. */
export const sharedDatabase = async (url: string, settings: Readonly<Record<string, string>> = {}) => {
  const environment = {
    ...(await sharedKeys()),
    DATABASE_URL: url,
    LOG_LEVEL: "info",
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32",
    ...settings,
  };
  const rows = async <Row extends object>(statement: string): Promise<ReadonlyArray<Row>> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Row>(statement)).rows;
    } finally {
      await client.end();
    }
  };
  const count = async (condition: string): Promise<number> => {
    const [row] = await rows<{ readonly n: string }>(`select count(*) as n from delivery where ${condition}`);
    return Number(row!.n);
  };
  /** Inserts due events for every endpoint whose URL matches, and wakes the processes. */
  const makeDue = async (like: string, each: number): Promise<void> => {
    const run = globalThis.crypto.randomUUID().slice(0, 8);
    await rows(
      `with account as (
         select account from endpoint limit 1
       ), happened as (
         insert into event (id, account, type, occurred_at, body)
         select 'evt_${run}_' || n, account, 'email.deleted', extract(epoch from now()) * 1000, '{}'
         from account, generate_series(1, ${each}) n returning id
       )
       insert into delivery
         (id, event_id, endpoint_id, trigger, occurred_at, generation, state, step, due_at, lost_claims)
       select 'del_${run}_' || row_number() over (order by h.id), h.id, e.id, 'event', 0, e.generation, 'pending', 0, 0, 0
       from happened h cross join endpoint e where e.url like '${like}'`,
    );
    await rows("select pg_notify('postern_wake_up', 'test delivery')");
  };
  return { environment, rows, count, makeDue };
};
