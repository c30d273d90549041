import { it } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { Effect } from "effect";
import { expect } from "vitest";
import { HARNESS_ADMIN_KEY, harness } from "@postern/harness";
import { call, signIn } from "./call.ts";

const DEMO = AccountId("demo@postern.test");
/** Longer than the folders of a server without NOTIFY wait for a look. */
const A_LOOK = "25 seconds";

const raw = (subject: string, to = "demo@postern.test") =>
  new TextEncoder().encode(
    `From: "Ann" <ann@example.org>\r\nTo: ${to}\r\nSubject: ${subject}\r\nMessage-ID: <${subject.replaceAll(" ", "-")}@x>\r\n\r\nHi.\r\n`,
  );

/** An account of which all folders are followed, with a message in INBOX and one in Projects. */
const world = Effect.gen(function* () {
  const service = yield* harness;
  const token: string = (yield* signIn(service)).body.token;
  const account = service.mail.account(DEMO);
  const [inbox, projects] = [account.mailbox("INBOX"), account.create("Work")];
  const [hop, old] = [inbox.append(raw("hop"), 0), projects.append(raw("old"), 0)];
  const ask = (method: string, path: string, json?: unknown) =>
    call(service, method, path, { token, ...(json === undefined ? {} : { json }) });
  const following = Effect.map(ask("GET", "/api/account"), ({ body }) => body.data.following);
  /** Follows all folders, and waits until every message is recorded. */
  const start = Effect.gen(function* () {
    const answer = yield* ask("PATCH", "/api/account", { follow: "all" });
    for (;;) {
      yield* service.pass("1 second");
      const { folders, done } = yield* following;
      if (done === folders) return answer;
    }
  });
  const idOf = Effect.fnUntraced(function* (subject: string, folder: string) {
    const { body } = yield* ask("GET", `/api/inbox?folder=${encodeURIComponent(folder)}&limit=200`);
    return body.emails.find((one: { readonly subject: string }) => one.subject === subject)?.id as string | undefined;
  });
  /** Returns the events of the feed since it was last asked, by type and subject or id. */
  let next: string | undefined;
  const events = Effect.fnUntraced(function* (folders = "*") {
    const after = next === undefined ? "" : `&after=${next}`;
    const { body } = yield* ask("GET", `/api/changes?folders=${encodeURIComponent(folders)}${after}`);
    next = body.next;
    return body.data as ReadonlyArray<{ readonly event: string; readonly data: any }>;
  });
  return { service, account, inbox, projects, hop, old, ask, start, following, idOf, events };
});

it.live("an account follows INBOX, until its user chooses all folders [S7.11-1]", () =>
  Effect.gen(function* () {
    const { service, ask, start, following } = yield* world;
    expect((yield* ask("GET", "/api/account")).body.data).toMatchObject({ follow: "inbox", following: null });
    expect((yield* ask("PATCH", "/api/account", { follow: "some" })).status).toBe(400);
    const { status, body } = yield* start;
    expect([status, body.data.follow]).toEqual([200, "all"]);
    const { folders, done, messages } = yield* following;
    expect(messages).toBeGreaterThan(2);
    const asOperator = (path: string) =>
      Effect.map(call(service, "GET", path, { token: HARNESS_ADMIN_KEY }), (answer) => answer.body.data);
    expect((yield* asOperator(`/api/accounts/${DEMO}`)).following).toEqual({ folders, done, messages });
    expect((yield* asOperator("/api/accounts"))[0]).not.toHaveProperty("following");
    expect((yield* ask("PATCH", "/api/account", { follow: "inbox" })).body.data.following).toBeNull();
  }).pipe(Effect.scoped),
);

it.live("mail in any folder is announced, and so is what changes and leaves there [S7.11-2]", () =>
  Effect.gen(function* () {
    const { service, account, projects, old, start, events, idOf } = yield* world;
    yield* start;
    yield* events();
    const id = yield* idOf("old", "Work");
    projects.append(raw("new"), 0);
    old.flags = ["\\Flagged"];
    account.mailbox("Junk").append(raw("spam"), 0);
    yield* service.pass(A_LOOK);
    const heard = yield* events();
    expect(heard.map(({ event, data }) => [event, data.folder, data.subject ?? data.id])).toEqual([
      ["email.flags_changed", "Work", id],
      ["email.received", "Work", "new"],
    ]);
    projects.expunge([old.uid]);
    yield* service.pass(A_LOOK);
    expect((yield* events()).map(({ event, data }) => [event, data.id])).toEqual([["email.deleted", id]]);
    account.create("Fresh").append(raw("first"), 0);
    yield* service.pass("3 minutes");
    const later = (yield* events()).filter(({ event }) => event.startsWith("email."));
    expect(later.map(({ data }) => [data.subject, data.folder])).toEqual([["first", "Fresh"]]);
  }).pipe(Effect.scoped),
);

it.live("a message that another client moves keeps its id [S7.11-3]", () =>
  Effect.gen(function* () {
    const { service, inbox, projects, hop, start, events, idOf, ask } = yield* world;
    yield* start;
    yield* events();
    const id = yield* idOf("hop", "INBOX");
    const [moved] = inbox.move([hop.uid], projects);
    yield* service.pass(A_LOOK);
    const heard = yield* events();
    expect(heard.map(({ event }) => event)).toEqual(["email.moved"]);
    expect(heard[0]!.data).toMatchObject({ id, subject: "hop", folder: "Work", fromFolder: "INBOX" });
    expect(yield* idOf("hop", "Work")).toBe(id);
    expect((yield* ask("GET", `/api/messages/${id}`)).body.data.folder).toBe("Work");
    projects.move([moved!.uid], inbox);
    yield* service.pass(A_LOOK);
    expect((yield* events()).map(({ event, data }) => [event, data.id, data.folder])).toEqual([
      ["email.moved", id, "INBOX"],
    ]);
  }).pipe(Effect.scoped),
);

it.live("the messages of a folder that another client removes are gone, or keep their ids elsewhere [S7.11-9]", () =>
  Effect.gen(function* () {
    const { service, account, inbox, projects, start, following, events, idOf } = yield* world;
    const kept = projects.append(raw("kept"), 0);
    yield* start;
    yield* events();
    const [gone, stays] = [yield* idOf("old", "Work"), yield* idOf("kept", "Work")];
    projects.move([kept.uid], inbox);
    account.delete("Work");
    yield* service.pass("3 minutes");
    const heard = (yield* events()).filter(({ event }) => event.startsWith("email."));
    expect(new Set(heard.map(({ event, data }) => `${event} ${data.id} ${data.folder}`))).toEqual(
      new Set([`email.moved ${stays} INBOX`, `email.deleted ${gone} `]),
    );
    const { folders, done } = yield* following;
    expect(done).toBe(folders);
    // Its messages come back in a folder of the same name, which is another folder.
    account.create("Work").append(raw("old"), 0);
    yield* service.pass("3 minutes");
    const again = (yield* events()).filter(({ event }) => event.startsWith("email."));
    expect(again.map(({ event, data }) => [event, data.subject, data.returned])).toEqual([
      ["email.received", "old", true],
    ]);
  }).pipe(Effect.scoped),
);

it.live("a copy is a message of its own, and a message that comes back has another id [S7.11-4]", () =>
  Effect.gen(function* () {
    const { service, inbox, projects, hop, start, events, idOf } = yield* world;
    yield* start;
    yield* events();
    const id = yield* idOf("hop", "INBOX");
    projects.append(raw("hop"), 0);
    yield* service.pass(A_LOOK);
    const [copied, ...others] = yield* events();
    expect([copied!.event, copied!.data.folder, others]).toEqual(["email.received", "Work", []]);
    expect(copied!.data.id).not.toBe(id);
    inbox.expunge([hop.uid]);
    yield* service.pass(A_LOOK);
    expect((yield* events()).map(({ event, data }) => [event, data.id])).toEqual([["email.deleted", id]]);
    inbox.append(raw("hop"), 0);
    yield* service.pass(A_LOOK);
    const [back] = yield* events();
    expect(back!.data).toMatchObject({ subject: "hop", returned: true });
    expect(back!.data.id).not.toBe(id);
  }).pipe(Effect.scoped),
);

it.live("a message that may be in a folder which the server does not open keeps its id for a minute [S7.11-4]", () =>
  Effect.gen(function* () {
    const { service, account, inbox, projects, start, events, idOf } = yield* world;
    const other = account.create("Other");
    yield* start;
    const id = yield* idOf("old", "Work");
    yield* events();
    // It leaves a folder that is closed just then.
    projects.isClosed = true;
    projects.move([projects.messages[0]!.uid], other);
    yield* service.pass(A_LOOK);
    expect(yield* events()).toEqual([]);
    inbox.append(raw("meanwhile"), 0);
    yield* service.pass("10 seconds");
    expect((yield* events()).map(({ event, data }) => [event, data.subject])).toEqual([
      ["email.received", "meanwhile"],
    ]);
    projects.isClosed = false;
    yield* service.pass("10 seconds");
    expect((yield* events()).map(({ event, data }) => [event, data.id])).toEqual([["email.moved", id]]);
    // A folder that stays closed holds nothing back.
    other.isClosed = true;
    other.move([other.messages[0]!.uid], inbox);
    yield* service.pass("2 minutes");
    expect((yield* events()).map(({ event, data }) => [event, data.subject])).toEqual([["email.received", "old"]]);
  }).pipe(Effect.scoped),
);

it.live("a message that is back in its folder is told to those who hear of moves [S7.11-10]", () =>
  Effect.gen(function* () {
    const { service, account, inbox, start, events, ask, idOf } = yield* world;
    yield* start;
    const id = yield* idOf("hop", "inbox");
    yield* events();
    const url = "https://hooks.example.test/old";
    const heard: Array<Uint8Array> = [];
    service.receivers.set(url, { reply: ({ body }) => ({ status: heard.push(body) > 0 ? 200 : 500 }) });
    yield* ask("POST", "/api/settings/webhooks", { url, events: ["email.received", "email.deleted"] });
    const away = account.mailbox("Trash");
    const { uid } = inbox.messages.find(({ summary }) => summary.subject === "hop")!;
    away.move([inbox.move([uid], away)[0]!.uid], inbox);
    yield* service.pass(A_LOOK);
    const told = yield* events();
    expect(told.map(({ event, data }) => [event, data.id, data.fromFolder, data.folder])).toEqual([
      ["email.moved", id, "INBOX", "INBOX"],
    ]);
    expect(heard).toEqual([]);
    inbox.append(raw("next"), 0);
    yield* service.pass("10 seconds");
    expect(heard).toHaveLength(1);
    expect((yield* ask("GET", `/api/messages/${id}`)).body.data.subject).toBe("hop");
  }).pipe(Effect.scoped),
);

it.live("a move of Postern's own is announced once, wherever it leads [S7.11-5]", () =>
  Effect.gen(function* () {
    const { service, start, events, idOf, ask } = yield* world;
    yield* start;
    yield* events();
    const id = yield* idOf("hop", "INBOX");
    const { body } = yield* ask("GET", "/api/folders");
    const target = body.folders.find((one: { readonly path: string }) => one.path === "Work").id;
    for (const folderId of [target, "inbox"]) {
      expect((yield* ask("PATCH", `/api/messages/${id}`, { folderId })).body.data.id).toBe(id);
      yield* service.pass(A_LOOK);
      expect((yield* events()).map(({ event, data }) => [event, data.id])).toEqual([["email.moved", id]]);
    }
  }).pipe(Effect.scoped),
);

it.live("drafts and mail that another program files in Sent have events of their own [S7.11-6]", () =>
  Effect.gen(function* () {
    const { service, account, start, events, ask } = yield* world;
    yield* start;
    yield* events();
    account.mailbox("Sent").append(raw("filed", "bob@example.org"), 0);
    const draft = account.mailbox("Drafts").append(raw("scribble"), 0);
    yield* service.pass(A_LOOK);
    expect((yield* events()).map(({ event, data }) => [event, data.subject, data.source])).toEqual([
      ["draft.changed", "scribble", undefined],
      ["email.sent", "filed", "mailbox"],
    ]);
    account.mailbox("Drafts").expunge([draft.uid]);
    // Drafts are polled every ten seconds.
    for (let passes = 0; passes < 4; passes++) yield* service.pass("12 seconds");
    expect((yield* events()).map(({ event, data }) => [event, data.removed])).toEqual([["draft.changed", true]]);
    expect((yield* ask("POST", "/api/send", { to: "bob@example.org", subject: "ours", text: "x" })).status).toBe(200);
    yield* service.pass("1 minute");
    const sent = (yield* events()).filter(({ event }) => event.startsWith("email."));
    expect(sent.map(({ event, data }) => [event, data.subject, data.source])).toEqual([
      ["email.sent", "ours", undefined],
    ]);
  }).pipe(Effect.scoped),
);

it.live("a listing of all folders and the feed together have each message once, under one id [S5.7-4]", () =>
  Effect.gen(function* () {
    const { service, inbox, projects, hop, old, start, events, idOf, ask } = yield* world;
    yield* start;
    yield* events();
    /** Lists all messages, and returns those of the two that move. */
    const list = Effect.gen(function* () {
      const found: Array<any> = [];
      for (let cursor: string | null = ""; cursor !== null;) {
        const after: string = cursor && `&cursor=${cursor}`;
        const { body }: { readonly body: any } = yield* ask("GET", `/api/messages?folders=*,junk,trash${after}`);
        found.push(...body.data);
        cursor = body.nextCursor;
      }
      expect(new Set(found.map(({ folderId, uid }) => `${folderId} ${uid}`)).size).toBe(found.length);
      return found.filter(({ subject }) => subject === "hop" || subject === "old");
    });
    const [id, oldId] = [yield* idOf("hop", "INBOX"), yield* idOf("old", "Work")];
    const before = yield* list;
    expect(before).toMatchObject([
      { id, subject: "hop", folder: "INBOX", preview: null },
      { id: oldId, subject: "old", folder: "Work" },
    ]);

    // Both move before the follower has seen it: the listing has neither at its new place.
    inbox.move([hop.uid], projects);
    projects.move([old.uid], inbox);
    expect(yield* list).toEqual([]);
    yield* service.pass(A_LOOK);
    const moved = (yield* events()).map(({ event, data }) => `${event} ${data.subject} ${data.id} ${data.folder}`);
    expect(new Set(moved)).toEqual(new Set([`email.moved hop ${id} Work`, `email.moved old ${oldId} INBOX`]));
    const after = (yield* list).map((one) => [one.id, one.subject, one.folder]);
    expect(after).toEqual([
      [oldId, "old", "INBOX"],
      [id, "hop", "Work"],
    ]);
  }).pipe(Effect.scoped),
);

it.live("a listing waits until the existing messages are recorded [S5.7-5]", () =>
  Effect.gen(function* () {
    const { service, ask, start } = yield* world;
    expect((yield* ask("PATCH", "/api/account", { follow: "all" })).status).toBe(200);
    const early = yield* ask("GET", "/api/messages");
    expect([early.status, early.body.code, early.headers.get("retry-after")]).toEqual([503, "listing_not_ready", "5"]);
    yield* start;
    yield* service.pass("1 second");
    expect((yield* ask("GET", "/api/messages")).status).toBe(200);
    for (const query of ["limit=0", "limit=201", "cursor=nonsense", "folders=Work", "order=up"]) {
      expect((yield* ask("GET", `/api/messages?${query}`)).status, query).toBe(400);
    }
    expect((yield* ask("GET", "/api/messages?folders=f_absent")).body.code).toBe("folder_not_found");
  }).pipe(Effect.scoped),
);
