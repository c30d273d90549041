/** Returns statements that insert events of an endpoint's account, each with a delivery and an attempt. */
export const bigTables = (account: string, endpoint: string, many: number, series: string): ReadonlyArray<string> => [
  `insert into event (id, account, type, occurred_at, body, position)
   select 'evt_big' || n, '${account}', case when n % 2 = 0 then 'email.sent' else 'email.received' end,
     ${Date.now() - 3_600_000} + n / 1000, '{}', 1000 + n
   from ${series}`,
  `update event_count set count = ${many + 2_000} where account = '${account}'`,
  // Most are exhausted, some held; the last is the only one in its state.
  `insert into delivery (id, event_id, endpoint_id, trigger, account, type, occurred_at, position, generation, state, step, due_at, lost_claims)
   select 'del_0' || substr('0000000' || n, -7), 'evt_big' || n, '${endpoint}', 'event', '${account}',
     case when n % 2 = 0 then 'email.sent' else 'email.received' end, ${Date.now() - 3_600_000} + n / 1000, 1000 + n,
     case when n % 10 = 0 then 0 else 1 end,
     case when n % 10 = 0 then 'pending' when n % 3 = 0 then 'exhausted' else 'succeeded' end, 0, 0, 0
   from ${series}`,
  `insert into attempt (delivery_id, n, started_at, ms, status, excerpt)
   select 'del_0' || substr('0000000' || n, -7), 1, 1, 1, 500, 'no' from ${series}`,
];
