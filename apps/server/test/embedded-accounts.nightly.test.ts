import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPostern, type MailEvent, PosternError } from "@postern/server";
import { afterEach, beforeEach, expect, it } from "vitest";

const DEMO = "demo@postern.test";
const FRIEND = "friend@postern.test";

let dataDir = "";
const ends: Array<() => Promise<unknown>> = [];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "embedded-accounts-"));
});

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
  await rm(dataDir, { recursive: true, force: true });
});

const embedded = async () => {
  const postern = await createPostern({ dataDir, sandbox: true });
  ends.push(postern.stop);
  await postern.start();
  return postern;
};

const take = async (events: AsyncIterable<MailEvent>, count: number) => {
  const taken: Array<MailEvent> = [];
  for await (const event of events) {
    taken.push(event);
    if (taken.length === count) break;
  }
  return taken;
};

it("adds, lists, changes, pauses and removes accounts as the operator [S1.4-1]", async () => {
  const { accounts, keys, oauth, stop } = await embedded();
  const added = await accounts.add({ email: DEMO, password: "demo", name: "Ann", tags: ["crm"] });
  expect(added).toMatchObject({ email: DEMO, state: "active", name: "Ann", tags: ["crm"], managed: true });
  const refused = await accounts.add({ email: FRIEND, password: "wrong" }).catch((error: unknown) => error);
  if (!(refused instanceof PosternError)) throw refused;
  expect(refused).toMatchObject({ name: "PosternError", code: "account_unverified" });
  expect(refused.member("checks")).toMatchObject({ imap: { ok: false, cause: "auth_refused" } });
  const listed: Array<string> = [];
  for await (const { email } of accounts.list({ limit: 1 })) listed.push(email);
  expect(listed).toEqual([DEMO]);
  expect((await accounts.update(added.id, { name: "Ann B" })).name).toBe("Ann B");
  expect((await accounts.pause(DEMO)).state).toBe("paused");
  expect((await accounts.get(DEMO)).state).toBe("paused");
  expect((await accounts.resume(DEMO)).state).toBe("active");
  expect((await accounts.verify(DEMO)).checks).toHaveProperty("imap");
  expect((await accounts.connectLink({ redirectUrl: "https://app.example/done" })).url).toMatch(/^http:/);
  expect((await keys.make({ name: "crm", scopes: ["mail:read"] })).key).toMatch(/^psk_/);
  expect((await oauth.apps()).data).toEqual([]);
  await expect(accounts.get("")).rejects.toMatchObject({ name: "PosternError", code: "invalid_request" });
  await accounts.remove(DEMO);
  expect((await accounts()).data).toEqual([]);
  await stop();
  await expect(accounts.get(DEMO)).rejects.toMatchObject({ code: "stopped" });
});

it("yields the events of all accounts, and after a restart those after the last one handled [S1.4-2]", async () => {
  const first = await embedded();
  const heard = take(first.events({ types: ["account.added", "email.sent"] }), 4);
  await new Promise((resolve) => setTimeout(resolve, 500));
  for (const email of [DEMO, FRIEND]) await first.accounts.add({ email, password: "demo" });
  await first.send(DEMO, { to: FRIEND, subject: "one", text: "." });
  await first.send(FRIEND, { to: DEMO, subject: "two", text: "." });
  const events = await heard;
  const brief = events.map(({ event, account }) => `${event} ${account.email}`);
  expect(brief.toSorted()).toEqual([
    `account.added ${DEMO}`,
    `account.added ${FRIEND}`,
    `email.sent ${DEMO}`,
    `email.sent ${FRIEND}`,
  ]);
  const after = events.find(({ account, event }) => event === "email.sent" && account.email === DEMO)!.id;
  await first.send(FRIEND, { to: DEMO, subject: "three", text: "." });
  await first.stop();

  const second = await embedded();
  const subjects = (found: ReadonlyArray<MailEvent>) =>
    found.flatMap((event) => (event.event === "email.sent" ? [event.data.subject] : []));
  expect(subjects(await take(second.events({ after, types: ["email.sent"] }), 2))).toEqual(["two", "three"]);
  const ofFriend = second.events({ after, types: ["email.sent"], accounts: [FRIEND] });
  expect(subjects(await take(ofFriend, 2))).toEqual(["two", "three"]);
  const open = take(second.events(), 1);
  await second.stop();
  expect(await open).toEqual([]);
});

it("watches the mailboxes of all accounts while their events are followed [S1.4-3]", async () => {
  const postern = await embedded();
  for (const email of [DEMO, FRIEND]) await postern.accounts.add({ email, password: "demo" });
  const arrival = take(postern.events({ types: ["email.received"] }), 1);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await postern.send(DEMO, { to: FRIEND, subject: "hello", text: "." });
  expect(await arrival).toMatchObject([{ event: "email.received", account: { email: FRIEND } }]);
});

it("yields the mail that comes to an account from its addition on [S1.4-4]", async () => {
  const postern = await embedded();
  await postern.accounts.add({ email: DEMO, password: "demo" });
  const arrivals = take(postern.events({ types: ["email.received"] }), 2);
  await new Promise((resolve) => setTimeout(resolve, 500));
  for (const subject of ["added", "added again"]) {
    await postern.accounts.add({ email: FRIEND, password: "demo" });
    await postern.send(DEMO, { to: FRIEND, subject, text: "." });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await postern.accounts.remove(FRIEND);
  }
  expect(await arrivals).toMatchObject([{ data: { subject: "added" } }, { data: { subject: "added again" } }]);
});

it("refuses unknown accounts, types and positions", async () => {
  const postern = await embedded();
  const refusal = (options: object) => take(postern.events(options as never), 1).catch((error: unknown) => error);
  expect(await refusal({ types: ["email.recieved"] })).toMatchObject({ code: "invalid_request" });
  expect(await refusal({ accounts: ["nobody"] })).toMatchObject({ errors: [{ field: "accounts" }] });
  expect(await refusal({ after: "7" })).toMatchObject({ errors: [{ field: "after" }] });
  expect(await refusal({ after: `evt_${(0).toString(36).padStart(9, "0")}x` })).toMatchObject({ code: "feed_expired" });
});
