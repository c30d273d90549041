import { expect } from "vitest";
import type { Ask } from "./ask-with-key.ts";
import type { MailSite } from "./mail-site.ts";

/**
 * Uses a mailbox with a service key as the seed's clients use it with a session: lists folders; reads, marks, finds,
 * moves and deletes an arrival; sends a message with a copy.
 */
export const keyJourney = async (ask: Ask, site: MailSite, account: string): Promise<void> => {
  const asked = async (method: string, path: string, json?: unknown): Promise<any> => {
    const { status, body } = await ask(method, path, json, account);
    expect(status, `${method} ${path} of ${account}: ${JSON.stringify(body)}`).toBe(200);
    return body;
  };
  const subjectsIn = async (folder: string): Promise<ReadonlyArray<string>> =>
    (await asked("GET", `/api/inbox?folder=${folder}`)).emails.map(({ subject }: any) => subject);

  const parent = (await asked("POST", "/api/settings/folders", { name: "Projekte Ä", parentId: null })).data;
  const child = (await asked("POST", "/api/settings/folders", { name: "Offen", parentId: parent.id })).data;
  const renamed = (await asked("PATCH", `/api/settings/folders/${parent.id}`, { name: "Kunden" })).data;
  expect(renamed).toMatchObject({ id: parent.id, name: "Kunden" });
  const { folders } = await asked("GET", "/api/folders");
  expect(folders.find(({ id }: any) => id === child.id)).toMatchObject({ name: "Offen", parentId: parent.id });
  expect(folders.find(({ id }: any) => id === "inbox")).toMatchObject({ role: "inbox" });

  await site.deliver(account, "for the journey");
  const inbox = await asked("GET", "/api/inbox");
  const { id, unread } = inbox.emails.find(({ subject }: any) => subject === "for the journey");
  expect(unread).toBe(true);
  expect((await asked("GET", `/api/messages/${id}`)).data).toMatchObject({ subject: "for the journey" });
  expect((await asked("PATCH", `/api/messages/${id}`, { unread: false, flagged: true })).data).toMatchObject({
    unread: false,
    flagged: true,
  });
  const found = await asked("GET", "/api/search?folder=inbox&subject=journey");
  expect(found.emails.map((email: any) => email.id)).toEqual([id]);
  const moved = (await asked("PATCH", `/api/messages/${id}`, { folderId: child.id })).data;
  expect(await subjectsIn(child.id)).toEqual(["for the journey"]);
  await asked("DELETE", `/api/messages/${moved.id}`);
  expect(await subjectsIn("trash")).toContain("for the journey");
  await asked("DELETE", `/api/settings/folders/${child.id}`);

  const sent = await asked("POST", "/api/send", { to: "b@y.test", subject: `from ${account}`, text: "Text." });
  expect(sent.status).toBe("sent");
  expect(site.sent().filter(({ raw }) => raw.includes(`Subject: from ${account}`))).toHaveLength(1);
  await expect.poll(() => subjectsIn("sent"), { timeout: 10_000 }).toContain(`from ${account}`);
};
