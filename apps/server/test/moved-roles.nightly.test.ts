import { setTimeout as sleep } from "node:timers/promises";
import { describeWithCyrus, describeWithDovecot, openConversation } from "@postern/testkit";
import { expect, it, onTestFinished } from "vitest";
import { askWithKey, makeKey } from "./ask-with-key.ts";
import { type ImapKind, PASSWORD, startMailSite } from "./mail-site.ts";
import { ADMIN_KEY } from "./requests/live-world.ts";
import { started } from "./server-process.ts";

const EMAIL = "ann@x.test";
const EVERYWHERE = "*,junk,trash";

const raw = (subject: string) =>
  Buffer.from(
    `From: bo@y.test\r\nSubject: ${subject}\r\nMessage-ID: <${subject.replaceAll(" ", "-")}@y.test>\r\n\r\nHi.\r\n`,
  );

/** A move of the role of Trash to another mailbox: the commands of another client, and the names of both mailboxes afterwards. */
interface Change {
  readonly commands: ReadonlyArray<string>;
  /** The mailbox that was Trash, and the mailbox that is Trash now. */
  readonly was: string;
  readonly is: string;
}

/** Moves the role of Trash to another mailbox and back, in a followed account with a message in each mailbox. */
const layTrashElsewhere = async (kind: ImapKind, create: ReadonlyArray<string>, there: Change, back: Change) => {
  const site = await startMailSite("127.0.0.1", kind);
  onTestFinished(site.stop);
  await site.addUser(EMAIL);
  const mail = await openConversation("127.0.0.1", site.imap.port, EMAIL, PASSWORD);
  onTestFinished(() => mail.close());
  for (const command of create) await mail.command(command);
  await mail.command("APPEND Trash", raw("in Trash"));
  await mail.command("APPEND Deleted", raw("in Deleted"));

  const { base } = await started({ ACCOUNT_SERVERS: "any", ADMIN_KEY, MAIL_ALLOWED_NETWORKS: "127.0.0.0/8" });
  const withKey = askWithKey(() => base, await makeKey(base, ADMIN_KEY, "crm"));
  const ask = (method: string, path: string, json?: unknown) => withKey(method, path, json, EMAIL);
  const made = await withKey("POST", "/api/accounts", {
    email: EMAIL,
    password: PASSWORD,
    follow: "all",
    ...site.servers,
  });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  // The listing of all folders is refused until the messages of a followed account are recorded.
  for (;;) {
    const { status } = await ask("GET", "/api/messages");
    if (status === 200) break;
    expect(status).toBe(503);
    await sleep(500);
  }
  const roles = async () =>
    new Map<string, string>((await ask("GET", "/api/folders")).body.folders.map((one: any) => [one.path, one.id]));
  const idOf = async (folder: string) => (await ask("GET", `/api/inbox?folder=${folder}`)).body.emails[0].id as string;
  const opened = async (id: string) => {
    const { status, body } = await ask("GET", `/api/messages/${id}`);
    return status === 200 ? [body.data.subject, body.data.folder, body.data.folderId] : [status];
  };
  let next: string = (await ask("GET", "/api/changes")).body.next;
  /** Returns the events of messages since the last call, once one about `subject` is there, or after `wait` seconds. */
  const events = async (wait: number, subject?: string) => {
    const found: Array<ReadonlyArray<string>> = [];
    for (const until = Date.now() + wait * 1_000; Date.now() < until;) {
      const query = `after=${next}&folders=${encodeURIComponent(EVERYWHERE)}&wait=5`;
      const { body } = await ask("GET", `/api/changes?${query}`);
      ({ next } = body);
      for (const { event, data } of body.data) {
        if (event.startsWith("email.")) found.push([event, data.subject ?? data.id, data.folder, data.id]);
      }
      if (subject !== undefined && found.some((one) => one[1] === subject)) break;
    }
    return found;
  };

  const before = await roles();
  expect(before.get("Trash")).toBe("trash");
  const [inTrash, inDeleted] = [await idOf("trash"), await idOf("Deleted")];

  for (const command of there.commands) await mail.command(command);
  const now = await roles();
  expect(now.get(there.is)).toBe("trash");
  const lost = now.get(there.was)!;
  expect(await opened(inTrash)).toEqual(["in Trash", there.was, lost]);
  expect(await opened(inDeleted)).toEqual(["in Deleted", there.is, "trash"]);
  expect([await idOf(lost), await idOf("trash")]).toEqual([inTrash, inDeleted]);
  // A followed account is listed every two minutes.
  expect(await events(150)).toEqual([]);

  await mail.command(`SELECT ${there.was}`);
  await mail.command(`UID MOVE 1 ${there.is}`);
  expect(await events(60, "in Trash")).toEqual([["email.moved", "in Trash", there.is, inTrash]]);
  expect(await opened(inTrash)).toEqual(["in Trash", there.is, "trash"]);
  expect((await ask("PATCH", `/api/messages/${inTrash}`, { folderId: lost })).status).toBe(200);
  expect(await opened(inTrash)).toEqual(["in Trash", there.was, lost]);
  await events(30, "in Trash");

  await mail.command("UNSELECT");
  for (const command of back.commands) await mail.command(command);
  expect((await roles()).get(back.is)).toBe("trash");
  expect(await opened(inTrash)).toEqual(["in Trash", back.is, "trash"]);
  expect((await opened(inDeleted)).slice(0, 2)).toEqual(["in Deleted", back.was]);
  expect(await events(150)).toEqual([]);
};

describeWithDovecot("a Dovecot whose Trash is another mailbox, because mailboxes were renamed", () => {
  it("keeps the ids of messages, without events of them [S4.2-6] [S5.2-15] [S7.11-11]", { timeout: 600_000 }, () =>
    layTrashElsewhere(
      {},
      ["CREATE Deleted"],
      { commands: ["RENAME Trash Bin", "RENAME Deleted Trash"], was: "Bin", is: "Trash" },
      { commands: ["RENAME Trash Deleted", "RENAME Bin Trash"], was: "Deleted", is: "Trash" },
    ),
  );
});

const use = (mailbox: string, value: string) => `SETMETADATA ${mailbox} (/private/specialuse ${value})`;

describeWithCyrus("a Cyrus whose Trash is another mailbox, because its use was changed", () => {
  it("keeps the ids of messages, without events of them [S4.2-6] [S5.2-15] [S7.11-11]", { timeout: 600_000 }, () =>
    layTrashElsewhere(
      "cyrus",
      ["CREATE Trash (USE (\\Trash))", "CREATE Deleted"],
      { commands: [use("Trash", "NIL"), use("Deleted", '"\\\\Trash"')], was: "Trash", is: "Deleted" },
      { commands: [use("Deleted", "NIL"), use("Trash", '"\\\\Trash"')], was: "Deleted", is: "Trash" },
    ),
  );
});
