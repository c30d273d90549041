import { describeWithDovecot, type ImapRewrite } from "@postern/testkit";
import { expect, it, onTestFinished } from "vitest";
import { askWithKey, makeKey } from "./ask-with-key.ts";
import { type MailSite, PASSWORD, startMailSite } from "./mail-site.ts";
import { ADMIN_KEY } from "./requests/live-world.ts";
import { started } from "./server-process.ts";

/** Makes servers tell the same counters of INBOX. */
const EQUAL: ImapRewrite = {
  response: (line) =>
    line.replace(/UIDVALIDITY \d+/g, "UIDVALIDITY 7").replace(/(HIGHESTMODSEQ|MODSEQ) (\(?)\d+/g, "$1 $29"),
};

const site = async (host: string) => {
  const made = await startMailSite(host, { rewritten: true });
  onTestFinished(made.stop);
  made.proxy!.rewrite = EQUAL;
  return made;
};

describeWithDovecot("an account that moved to a server with equal counters", () => {
  it("shows only the lists and messages of the new server, with other ids [S10.3-26] [S5.2-14]", async () => {
    const sites = await Promise.all([site("127.0.0.1"), site("127.0.0.2")]);
    const { base } = await started({ ACCOUNT_SERVERS: "any", ADMIN_KEY, MAIL_ALLOWED_NETWORKS: "127.0.0.0/8" });
    const key = await makeKey(base, ADMIN_KEY, "crm");
    const ask = askWithKey(() => base, key);
    const email = "ann@x.test";
    for (const [n, { addUser, deliver }] of sites.entries()) {
      await addUser(email);
      await deliver(email, `letter ${n}`);
    }
    const [first, second] = sites as [MailSite, MailSite];
    const made = await ask("POST", "/api/accounts", { email, password: PASSWORD, ...first.servers });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    const headers = { authorization: `Bearer ${key}`, "postern-account": email };
    const list = async (more: Record<string, string> = {}) => {
      const answer = await fetch(`${base}/api/inbox`, { headers: { ...headers, ...more } });
      const text = await answer.text();
      expect(answer.status, text).toBe(200);
      return (JSON.parse(text) as { emails: ReadonlyArray<{ id: string; subject: string }> }).emails;
    };
    const move = async (to: MailSite) => {
      const moved = await ask("PATCH", `/api/accounts/${email}`, { ...to.servers, password: PASSWORD });
      expect(moved.status, JSON.stringify(moved.body)).toBe(200);
    };
    const ids = new Set<string>();
    for (let n = 0; n < 3; n++) expect(await list()).toMatchObject([{ subject: "letter 0" }]);
    ids.add((await list())[0]!.id);
    await move(second);
    for (const more of [{ "cache-control": "max-age=60" }, {}, { "cache-control": "max-age=60" }, {}]) {
      const [entry] = await list(more);
      expect(entry).toMatchObject({ subject: "letter 1" });
      const { body } = await ask("GET", `/api/messages/${entry!.id}`, undefined, email);
      expect(body.data).toMatchObject({ subject: "letter 1" });
      ids.add(entry!.id);
    }
    await move(first);
    for (let n = 0; n < 2; n++)
      expect(await list({ "cache-control": "max-age=60" })).toMatchObject([{ subject: "letter 0" }]);
    expect(ids.size).toBe(2);
    for (const id of ids) expect((await ask("GET", `/api/messages/${id}`, undefined, email)).status).toBe(404);
  });
});
