import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiProblem, createClient } from "@postern/client";

interface Task {
  readonly account: string;
  readonly id: string;
}

interface State {
  /** The position in the feed. */
  readonly after?: string;
  /** Messages that could not be answered yet. */
  readonly waiting: ReadonlyArray<Task>;
  /** Accounts whose unread mail is to be looked through, since this time, because the feed has lost events. */
  readonly toList: ReadonlyArray<string>;
  readonly since: string;
}

const { POSTERN_URL = "http://127.0.0.1:3000", KEY = "", STATE = "desk.json", OWN_URL = "" } = process.env;
const client = createClient({ baseUrl: POSTERN_URL, key: KEY });

const read = (): State | undefined => {
  try {
    return JSON.parse(readFileSync(STATE, "utf8"));
  } catch {
    return undefined;
  }
};

const write = (state: State): State => {
  writeFileSync(`${STATE}.new`, JSON.stringify(state));
  renameSync(`${STATE}.new`, STATE);
  return state;
};

/** Answers a message once: its id is the idempotency key for a day, and its label says that it is done for good. */
const answer = async ({ account, id }: Task): Promise<void> => {
  const box = client.account(account);
  const message = await box.messages.read(id);
  if (message.answered || message.labels.includes("desk-answered")) return;
  if (!message.automatic) {
    const mail = {
      text: "We answer within a day.",
      replyToMessageId: id,
      headers: { "Auto-Submitted": "auto-replied" },
    };
    await box.send(mail, { idempotencyKey: `desk-${id}` });
    console.log(`answered ${message.subject}`);
  }
  await box.messages.change(id, { addLabels: ["desk-answered"] });
};

/** Codes that end when a person acts, or the network is back. */
const LATER = new Set(["offline", "account_paused", "account_needs_reauth", "application_suspended"]);

/** Does the work on each item, and returns the items that have to be done later. */
const each = async <A>(items: ReadonlyArray<A>, work: (item: A) => Promise<unknown>): Promise<ReadonlyArray<A>> => {
  const later: Array<A> = [];
  for (const item of items)
    await work(item).catch((problem: unknown) => {
      if (!(problem instanceof ApiProblem) || problem.status === 401) throw problem;
      console.log(`${JSON.stringify(item)}: ${problem.code}`);
      if (problem.retryAfter !== null || LATER.has(problem.code)) later.push(item);
    });
  return later;
};

/** Begins at the present. Mailboxes are watched while the application has an endpoint; a disabled one gets no requests. */
const begin = async (): Promise<State> => {
  const endpoint = { url: OWN_URL, events: ["email.received" as const] };
  const { id } = await client.webhooks.create(endpoint, { idempotencyKey: "desk" });
  await client.webhooks.disable(id);
  return write({ after: (await client.changes()).next, waiting: [], toList: [], since: new Date().toISOString() });
};

const follow = async (state: State): Promise<State> => {
  const tasks = [...state.waiting];
  const toList = await each(state.toList, async (account) => {
    const query = { folder: "inbox", unread: true, since: state.since.slice(0, 10) };
    for await (const { id } of client.account(account).search(query)) tasks.push({ account, id });
  });
  const { data, next } = await client.changes({ after: state.after, types: "email.received", wait: 20 });
  for (const event of data)
    if (event.event === "email.received") tasks.push({ account: event.account.id, id: event.data.id });
  const since = toList.length === 0 ? (data.at(-1)?.timestamp ?? state.since) : state.since;
  return write({ after: next, waiting: await each(tasks, answer), toList, since });
};

let state = read() ?? (await begin());
console.log("following");
for (;;)
  state = await follow(state).catch(async (problem: unknown) => {
    if (!(problem instanceof ApiProblem) || problem.status === 401) throw problem;
    console.log(problem.code);
    if (problem.code !== "feed_expired") return sleep((problem.retryAfter ?? 5) * 1_000, state);
    const toList: Array<string> = [];
    for await (const { id } of client.accounts()) toList.push(id);
    return write({ ...state, after: String(problem.member("next")), toList });
  });
