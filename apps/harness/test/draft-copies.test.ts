import { it } from "@effect/vitest";
import { AccountId, Transaction } from "@postern/core/shared";
import { type Harness, harness, HARNESS_URL, harnessWithStores } from "@postern/harness";
import { Clock, Context, Effect, Layer } from "effect";
import { expect } from "vitest";
import { call, signIn } from "./call.ts";
import { sqliteStores } from "./sql-stores.ts";

const DEMO = AccountId("demo@postern.test");
const LAST_SAVE = "the words of this save";
/** Of the same length, so that the sizes of the two messages are equal. */
const EDITED = "the words of elsewhere";

/** A service with a draft, and another mail program that opens its copies. */
const world = Effect.gen(function* () {
  const context = yield* Layer.build(Layer.orDie(sqliteStores));
  const { run } = Context.get(context, Transaction);
  /** What happens before the next transactions. */
  const before: Array<Effect.Effect<unknown>> = [];
  const hooked: (typeof Transaction.Service)["run"] = (effect) =>
    Effect.andThen(
      Effect.suspend(() => before.shift() ?? Effect.void),
      run(effect),
    );
  const service = yield* harnessWithStores(Layer.succeedContext(Context.add(context, Transaction, { run: hooked })));
  const token: string = (yield* signIn(service)).body.token;
  const created = yield* call(service, "POST", "/api/drafts", { token, json: { subject: "s", text: "first" } });
  const path = `/api/drafts/${created.body.data.id}`;
  const save = (version: string, text: string) =>
    call(service, "PUT", path, { token, json: { subject: "s", text }, headers: { "if-match": version } });
  return {
    save,
    get: call(service, "GET", path, { token }),
    folder: folderOf(service),
    /** Stores a save and stops before its commit, where `meanwhile` happens. */
    stopped: (text: string, meanwhile: Effect.Effect<unknown>) => {
      before.push(Effect.void, meanwhile);
      return save("1", text);
    },
  };
});

const folderOf = (service: Harness) => {
  const mailbox = service.mail.account(DEMO).mailbox("Drafts");
  const texts = () => mailbox.messages.map(({ raw }) => new TextDecoder().decode(raw));
  return {
    count: () => texts().filter((text) => /^X-Postern-Draft:/im.test(text)).length,
    holds: (words: string) => texts().some((text) => text.includes(words)),
    last: () => mailbox.messages.at(-1)!,
    /** Stores an edited message, with the mark of the one that was read, in its place. */
    edit: (read: { readonly uid: number; readonly raw: Uint8Array }) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const text = new TextDecoder().decode(read.raw).replace(LAST_SAVE, EDITED);
        expect(text).toContain(EDITED);
        mailbox.append(new TextEncoder().encode(text), now, ["\\Draft", "\\Seen"]);
        mailbox.expunge([read.uid]);
      }),
  };
};

it.live("keeps another client's change of the copy of a save in progress, which the next save finds [S12.1-14]", () =>
  Effect.gen(function* () {
    const { stopped, save, get, folder } = yield* world;
    let other = 0;
    yield* stopped(
      LAST_SAVE,
      Effect.gen(function* () {
        yield* folder.edit(folder.last());
        other = (yield* save("1", "of another tab")).status;
      }),
    );
    expect(other).toBe(409);
    const { version, text } = (yield* get).body.data;
    expect(text.trim()).toBe(EDITED);
    expect((yield* save(version, `${EDITED} and more`)).status).toBe(200);
    expect(folder.holds(EDITED)).toBe(true);
  }).pipe(Effect.scoped),
);

it.live("keeps another client's change of the copy of a save that was killed before its commit [S12.1-12]", () =>
  Effect.gen(function* () {
    const { stopped, save, get, folder } = yield* world;
    expect((yield* stopped(LAST_SAVE, Effect.die("killed"))).status).toBe(500);
    yield* folder.edit(folder.last());
    expect((yield* save("1", "of this client")).status).toBe(409);
    expect((yield* get).body.data.text.trim()).toBe(EDITED);
    // The version before is a draft of its own.
    expect(folder.holds("first")).toBe(true);
  }).pipe(Effect.scoped),
);

it.live("keeps another client's change of the copy of a save that was refused [S12.1-15]", () =>
  Effect.gen(function* () {
    const { stopped, save, get, folder } = yield* world;
    let read = folder.last();
    const refused = yield* stopped(
      LAST_SAVE,
      Effect.gen(function* () {
        read = folder.last();
        expect((yield* save("1", "of another tab")).status).toBe(200);
      }),
    );
    expect(refused.status).toBe(409);
    expect(folder.count()).toBe(1);
    yield* folder.edit(read);
    expect((yield* save("2", "one more")).status).toBe(409);
    expect((yield* get).body.data.text.trim()).toBe(EDITED);
    expect(folder.holds("of another tab")).toBe(true);
  }).pipe(Effect.scoped),
);

it.live("removes the unchanged copy of a save that was killed before its commit [S12.1-13]", () =>
  Effect.gen(function* () {
    const { stopped, save, folder } = yield* world;
    expect((yield* stopped(LAST_SAVE, Effect.die("killed"))).status).toBe(500);
    expect(folder.count()).toBe(2);
    expect((yield* save("1", "once more")).status).toBe(200);
    expect(folder.count()).toBe(1);
    expect(folder.holds("once more")).toBe(true);
  }).pipe(Effect.scoped),
);

it.live("opens a draft of another client with its HTML sanitised, and with uploads of its files [S12.1-20]", () =>
  Effect.gen(function* () {
    const service = yield* harness;
    const token: string = (yield* signIn(service)).body.token;
    const mailbox = service.mail.account(DEMO).mailbox("Drafts");
    const lines = [
      "Subject: theirs",
      "MIME-Version: 1.0",
      'Content-Type: multipart/mixed; boundary="b"',
      "",
      "--b",
      "Content-Type: text/html",
      "",
      "<p>Hi.</p><script>alert(1)</script>",
      "--b",
      'Content-Type: text/csv; name="table.csv"',
      "Content-Disposition: attachment",
      "",
      "a,b",
      "--b--",
      "",
    ];
    mailbox.append(new TextEncoder().encode(lines.join("\r\n")), 0, ["\\Draft"]);
    const { body } = yield* call(service, "GET", "/api/drafts", { token });
    const { id } = body.data.find(({ subject }: { readonly subject: string }) => subject === "theirs");
    const { data } = (yield* call(service, "GET", `/api/drafts/${id}`, { token })).body;
    expect(data.html).toContain("<p>Hi.</p>");
    expect(data.html).not.toContain("script");
    expect(data.attachments).toMatchObject([{ name: "table.csv", url: `/api/uploads/${data.attachments[0].id}` }]);
    const file = new Request(new URL(data.attachments[0].url, HARNESS_URL), {
      headers: { authorization: `Bearer ${token}` },
    });
    const answer = yield* service.request(file);
    expect((yield* Effect.promise(() => answer.text())).trim()).toBe("a,b");
  }).pipe(Effect.scoped),
);
