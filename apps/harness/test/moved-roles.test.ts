import { it } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { harness } from "@postern/harness";
import { Effect } from "effect";
import { expect } from "vitest";
import { call, signIn } from "./call.ts";

const DEMO = AccountId("demo@postern.test");
/** Longer than the folders of an account wait for their next listing. */
const A_LISTING = "3 minutes";

const raw = (subject: string) =>
  new TextEncoder().encode(
    `From: ann@example.org\r\nSubject: ${subject}\r\nMessage-ID: <${subject.replaceAll(" ", "-")}@x>\r\n\r\nHi.\r\n`,
  );

/** A Trash and a mailbox "Deleted" that have the same UIDVALIDITY, with messages of the same UIDs. */
const world = Effect.gen(function* () {
  const service = yield* harness;
  const token: string = (yield* signIn(service)).body.token;
  const account = service.mail.account(DEMO);
  const trash = account.mailbox("Trash");
  trash.expunge(trash.messages.map(({ uid }) => uid));
  const { uid } = trash.append(raw("in Trash"), 0);
  const makeDeleted = () => {
    const deleted = account.create("Deleted", undefined, trash.uidValidity);
    while (deleted.uidNext < uid) deleted.expunge([deleted.append(raw("earlier"), 0).uid]);
    expect([deleted.uidValidity, deleted.append(raw("in Deleted"), 0).uid]).toEqual([trash.uidValidity, uid]);
    return deleted;
  };
  const ask = (method: string, path: string, json?: unknown) =>
    call(service, method, path, { token, ...(json === undefined ? {} : { json }) });
  /** Returns the messages of a folder by their subjects. */
  const listed = Effect.fnUntraced(function* (folder: string) {
    const { body } = yield* ask("GET", `/api/inbox?folder=${encodeURIComponent(folder)}`);
    return new Map<string, { readonly id: string; readonly folderId: string; readonly folder: string }>(
      body.emails.map((one: { readonly subject: string }) => [one.subject, one]),
    );
  });
  const idOf = (subject: string, folder: string) => Effect.map(listed(folder), (all) => all.get(subject)!.id);
  /** Returns what an id opens. */
  const opened = Effect.fnUntraced(function* (id: string) {
    const { status, body } = yield* ask("GET", `/api/messages/${id}`);
    return status === 200 ? [body.data.subject, body.data.folder, body.data.folderId] : [status];
  });
  const roles = Effect.map(
    ask("GET", "/api/folders"),
    ({ body }) =>
      new Map<string, string>(
        body.folders.map(({ path, id }: { readonly path: string; readonly id: string }) => [path, id]),
      ),
  );
  return { service, account, trash, makeDeleted, ask, listed, idOf, opened, roles };
});

it.live("an id opens its message whichever mailbox is the Trash, there and back [S4.2-6] [S5.2-15]", () =>
  Effect.gen(function* () {
    const { account, makeDeleted, ask, listed, idOf, opened, roles } = yield* world;
    const deleted = makeDeleted();
    const before = yield* roles;
    expect(before.get("Trash")).toBe("trash");
    const [inTrash, inDeleted] = [yield* idOf("in Trash", "trash"), yield* idOf("in Deleted", "Deleted")];
    const search = Effect.map(ask("GET", "/api/search?subject=in&order=date&limit=200"), ({ body }) =>
      body.emails
        .filter(({ subject }: any) => subject.startsWith("in "))
        .map((one: any) => `${one.subject} ${one.id} ${one.folderId}`)
        .toSorted(),
    );

    account.layRole("trash", "Deleted");
    // Before the folders are listed again, the records say where the messages are.
    expect(yield* opened(inTrash)).toEqual(["in Trash", "Trash", "trash"]);
    const now = yield* roles;
    expect(now.get("Deleted")).toBe("trash");
    const lost = now.get("Trash")!;
    expect(yield* opened(inTrash)).toEqual(["in Trash", "Trash", lost]);
    expect(yield* opened(inDeleted)).toEqual(["in Deleted", "Deleted", "trash"]);
    expect((yield* listed("trash")).get("in Deleted")).toMatchObject({ id: inDeleted, folderId: "trash" });
    expect((yield* listed(lost)).get("in Trash")).toMatchObject({ id: inTrash, folderId: lost, folder: "Trash" });
    expect(yield* search).toEqual([`in Deleted ${inDeleted} trash`, `in Trash ${inTrash} ${lost}`]);
    const all = (yield* ask("GET", `/api/messages?folders=trash,${lost}`)).body.data as ReadonlyArray<any>;
    expect(all.map(({ id, folderId }) => [id, folderId])).toEqual([
      [inTrash, lost],
      [inDeleted, "trash"],
    ]);

    // A deleted message goes to the Trash of now, and keeps its id there.
    expect((yield* ask("DELETE", `/api/messages/${inTrash}`)).status).toBe(200);
    expect(yield* opened(inTrash)).toEqual(["in Trash", "Deleted", "trash"]);
    expect(deleted.messages).toHaveLength(2);
    expect((yield* ask("PATCH", `/api/messages/${inTrash}`, { folderId: lost })).status).toBe(200);
    expect(yield* opened(inTrash)).toEqual(["in Trash", "Trash", lost]);

    account.layRole("trash", "Trash");
    expect(yield* roles).toEqual(before);
    expect(yield* opened(inTrash)).toEqual(["in Trash", "Trash", "trash"]);
    expect(yield* opened(inDeleted)).toEqual(["in Deleted", "Deleted", before.get("Deleted")]);
    expect(yield* idOf("in Trash", "trash")).toBe(inTrash);
  }).pipe(Effect.scoped),
);

it.live("a mailbox that Postern never listed before it is the Trash has ids of its own [S5.2-15]", () =>
  Effect.gen(function* () {
    const { account, makeDeleted, ask, idOf, opened, roles } = yield* world;
    const inTrash = yield* idOf("in Trash", "trash");
    yield* roles;
    makeDeleted();
    account.layRole("trash", "Deleted");
    expect((yield* roles).get("Deleted")).toBe("trash");
    const inDeleted = yield* idOf("in Deleted", "trash");
    expect(inDeleted).not.toBe(inTrash);
    expect((yield* opened(inTrash)).slice(0, 2)).toEqual(["in Trash", "Trash"]);
    expect(yield* opened(inDeleted)).toEqual(["in Deleted", "Deleted", "trash"]);
    // The mailbox that lost the role takes its key with it.
    account.delete("Trash");
    account.layRole("trash", "Deleted");
    yield* roles;
    expect(yield* opened(inTrash)).toEqual([404]);
    expect(yield* opened(inDeleted)).toEqual(["in Deleted", "Deleted", "trash"]);
    expect((yield* ask("GET", "/api/inbox?folder=trash")).body.emails).toHaveLength(1);
  }).pipe(Effect.scoped),
);

it.live("a cursor of the Trash is expired when another mailbox is the Trash [S5.1-16]", () =>
  Effect.gen(function* () {
    const { account, trash, makeDeleted, ask, roles } = yield* world;
    const deleted = makeDeleted();
    for (const mailbox of [trash, deleted]) for (const n of [2, 3]) mailbox.append(raw(`message ${n}`), 0);
    const { body } = yield* ask("GET", "/api/inbox?folder=trash&limit=1");
    expect((yield* ask("GET", `/api/inbox?folder=trash&limit=1&cursor=${body.nextCursor}`)).status).toBe(200);
    account.layRole("trash", "Deleted");
    yield* roles;
    const expired = yield* ask("GET", `/api/inbox?folder=trash&limit=1&cursor=${body.nextCursor}`);
    expect([expired.status, expired.body.code]).toEqual([400, "cursor_expired"]);
    const fresh = (yield* ask("GET", "/api/inbox?folder=trash&limit=1")).body.nextCursor;
    const rest = yield* ask("GET", `/api/inbox?folder=trash&limit=9&cursor=${fresh}`);
    expect(rest.body.emails.map(({ subject }: any) => subject)).toEqual(["message 2", "in Deleted"]);
  }).pipe(Effect.scoped),
);

it.live("a role that comes to lie on another mailbox is no event of a message [S7.11-11]", () =>
  Effect.gen(function* () {
    const { service, account, trash, makeDeleted, ask, idOf, opened, roles } = yield* world;
    const deleted = makeDeleted();
    yield* ask("PATCH", "/api/account", { follow: "all" });
    for (;;) {
      yield* service.pass("1 second");
      const { folders, done } = (yield* ask("GET", "/api/account")).body.data.following;
      if (done === folders) break;
    }
    let next: string = (yield* ask("GET", "/api/changes")).body.next;
    const events = Effect.fnUntraced(function* (folders: string) {
      const { body } = yield* ask("GET", `/api/changes?after=${next}&folders=${encodeURIComponent(folders)}`);
      next = body.next;
      return (body.data as ReadonlyArray<{ readonly event: string; readonly data: any }>).flatMap(({ event, data }) =>
        event.startsWith("email.") ? [[event, data.subject ?? data.id, data.folder]] : [],
      );
    });
    const [inTrash, inDeleted] = [yield* idOf("in Trash", "trash"), yield* idOf("in Deleted", "Deleted")];

    account.layRole("trash", "Deleted");
    yield* service.pass(A_LISTING);
    expect((yield* roles).get("Deleted")).toBe("trash");
    expect(yield* events("*,junk,trash")).toEqual([]);

    // What happens then is told by the ids and roles of now.
    trash.append(raw("filed"), 0);
    deleted.append(raw("thrown away"), 0);
    trash.messages[0]!.flags = ["\\Flagged"];
    yield* service.pass(A_LISTING);
    const ordinary = next;
    expect(yield* events("*")).toEqual([
      ["email.flags_changed", inTrash, "Trash"],
      ["email.received", "filed", "Trash"],
    ]);
    next = ordinary;
    expect(yield* events("trash")).toEqual([["email.received", "thrown away", "Deleted"]]);
    trash.move([trash.messages[0]!.uid], deleted);
    yield* service.pass(A_LISTING);
    expect(yield* events("*,junk,trash")).toEqual([["email.moved", "in Trash", "Deleted"]]);
    expect((yield* opened(inTrash)).slice(0, 2)).toEqual(["in Trash", "Deleted"]);

    account.layRole("trash", "Trash");
    yield* service.pass(A_LISTING);
    expect((yield* roles).get("Trash")).toBe("trash");
    expect(yield* events("*,junk,trash")).toEqual([]);
    expect(yield* opened(inDeleted)).toEqual(["in Deleted", "Deleted", (yield* roles).get("Deleted")]);
  }).pipe(Effect.scoped),
);
