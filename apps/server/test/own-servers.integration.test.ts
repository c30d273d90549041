import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeWithDovecot } from "@postern/testkit";
import { expect, it, onTestFinished } from "vitest";
import { accountReceiver } from "./account-receiver.ts";
import { askWithKey, makeKey } from "./ask-with-key.ts";
import { keyJourney } from "./key-journey.ts";
import { type ImapKind, PASSWORD, startMailSite } from "./mail-site.ts";
import { ADMIN_KEY } from "./requests/live-world.ts";
import { dataDir, started } from "./server-process.ts";

const SITES: ReadonlyArray<readonly [string, ImapKind]> = [
  ["127.0.0.1", { tls: true }],
  ["127.0.0.2", { separator: ".", prefix: "INBOX." }],
];

describeWithDovecot("accounts on two mail servers of their own", () => {
  it("are used with one key, and announced with their account at one endpoint", async () => {
    const sites = await Promise.all(SITES.map(([host, kind]) => startMailSite(host, kind)));
    onTestFinished(async () => void (await Promise.all(sites.map(({ stop }) => stop()))));
    const receiver = await accountReceiver();
    onTestFinished(receiver.close);
    const ca = join(dataDir(), "ca.pem");
    writeFileSync(ca, sites[0]!.ca!);
    const { base } = await started({
      ACCOUNT_SERVERS: "any",
      ADMIN_KEY,
      MAIL_ALLOWED_NETWORKS: "127.0.0.0/8",
      MAIL_TLS_CA_FILE: ca,
      WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32",
      LOG_LEVEL: "warn",
    });
    const ask = askWithKey(() => base, await makeKey(base, ADMIN_KEY, "crm"));
    const types = ["account.added", "email.received"];
    const made = await ask("POST", "/api/settings/webhooks", { url: receiver.url, events: types });
    expect(made.body.data).toMatchObject({ watchesPending: 0 });

    const accounts = await Promise.all(
      sites.map(async (site, n) => {
        const email = `u${n}@x${n}.test`;
        await site.addUser(email);
        const added = await ask("POST", "/api/accounts", { email, password: PASSWORD, ...site.servers });
        expect(added.body.data, JSON.stringify(added.body)).toMatchObject({ email, state: "active", watched: true });
        return { site, email, id: added.body.data.id as string };
      }),
    );
    await Promise.all(accounts.map(({ site, email }) => site.deliver(email, `arrived at ${email}`)));
    const own = (type: string) =>
      receiver.events(type).map(({ account, data }) => [account.id, account.email, data.subject]);
    await expect.poll(() => own("email.received").length).toBe(2);
    expect(own("email.received")).toEqual(
      expect.arrayContaining(accounts.map(({ id, email }) => [id, email, `arrived at ${email}`])),
    );
    expect(own("account.added")).toEqual(
      expect.arrayContaining(accounts.map(({ id, email }) => [id, email, undefined])),
    );
    await Promise.all(accounts.map(({ site, email }) => keyJourney(ask, site, email)));
  });
});
