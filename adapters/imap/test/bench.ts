import { CredentialVault, MailboxReader, MailboxTree } from "@postern/core";
import { Dovecot, MailServerControl, plainMessage, lines, multipart, messageOf } from "@postern/testkit";
import { Effect, Redacted } from "effect";
import { ImapFlow } from "imapflow";
import { imapOnDovecot } from "./imap-on-dovecot.ts";
const N = Number(process.argv[2] ?? 10000);
const prog = Effect.gen(function* () {
  const d = yield* Dovecot; const c = yield* MailServerControl; const vault = yield* CredentialVault;
  const { account, credential } = yield* c.newAccount; yield* vault.keep(account, credential);
  const user = credential.username;
  const msg = (n: number) => n % 4 === 0 ? messageOf(multipart("mixed", "b", [{ headers: ["Content-Type: text/plain; charset=utf-8"], body: "hi" }, { headers: ["Content-Type: application/pdf", "Content-Disposition: attachment; filename*=utf-8''na%C3%AFve.pdf", "Content-Transfer-Encoding: base64"], body: "AAAA" }]), [`Subject: =?utf-8?B?R3LDvMOfZQ==?= ${n}`, `Message-ID: <${n}@x>`]) : plainMessage("number " + n);
  yield* d.deliver(user, "INBOX", Array.from({ length: N }, (_, n) => ({ raw: msg(n), arrivedAt: 1.7e12 + n * 1000, flags: n % 3 ? "S" : "" })));
  for (let f = 0; f < 36; f++) yield* d.deliver(user, `Folder${f}`, Array.from({ length: 100 }, (_, n) => ({ raw: msg(n), arrivedAt: 1.7e12 })));
  const tree = yield* MailboxTree; const reader = yield* MailboxReader;
  const client = new ImapFlow({ host: d.host, port: d.port, secure: false, doSTARTTLS: false, logger: false, disableAutoIdle: true, auth: { user, pass: Redacted.value(credential.password) } });
  yield* Effect.promise(() => client.connect()); yield* Effect.promise(() => client.mailboxOpen("INBOX"));
  const unsel = new ImapFlow({ host: d.host, port: d.port, secure: false, doSTARTTLS: false, logger: false, disableAutoIdle: true, auth: { user, pass: Redacted.value(credential.password) } });
  yield* Effect.promise(() => unsel.connect());
  const q = { uid: true, flags: true, envelope: true, bodyStructure: true, size: true, internalDate: true };
  const raw = {
    page: async () => { const out = []; for await (const m of client.fetch(`${N - 49}:${N}`, q)) out.push(m); return out.length; },
    list: async () => (await client.list({ statusQuery: { messages: true, unseen: true } })).length,
    "list unselected": async () => (await unsel.list({ statusQuery: { messages: true, unseen: true } })).length,
    noop: async () => client.noop(), status: async () => client.status("INBOX", { unseen: true }),
    "reselect page": async () => { const l = await client.getMailboxLock("INBOX"); try { return await raw.page(); } finally { l.release(); await client.mailboxClose(); } },
  };
  const ours = {
    page: Effect.scoped(Effect.gen(function* () { const v = yield* reader.view(account, "INBOX"); return (yield* v.messages(v.total - 49, v.total)).length; })),
    list: Effect.map(tree.list(account), (l) => l.length),
    "page of Folder1": Effect.scoped(Effect.gen(function* () { const v = yield* reader.view(account, "Folder1"); return (yield* v.messages(v.total - 49, v.total)).length; })),
  };

  const run = Effect.runPromiseWith(yield* Effect.context<never>());
  const ops: Record<string, () => Promise<unknown>> = {
    "raw page": raw.page, "ours page": () => run(ours.page),
    "raw list": raw.list, "raw list 4": () => client.list({ statusQuery: { messages: true, unseen: true, uidValidity: true, uidNext: true } }),
    "raw noop+list 4": async () => { await client.noop(); await client.list({ statusQuery: { messages: true, unseen: true, uidValidity: true, uidNext: true } }); }, "ours list": () => run(ours.list), "raw list unsel": raw["list unselected"],
  };
  const rate: Record<string, number[]> = {}, cpus: Record<string, number[]> = {};
  yield* Effect.promise(async () => {
    for (let round = 0; round < 15; round++) for (const [name, f] of Object.entries(ops)) {
      const cpu0 = process.cpuUsage(); const t0 = performance.now(); let n = 0; while (performance.now() - t0 < 300) { await f(); n++; }
      const cpu = process.cpuUsage(cpu0); if (round > 1) { (rate[name] ??= []).push(n / (performance.now() - t0) * 1000); (cpus[name] ??= []).push((cpu.user + cpu.system) / 1000 / n); }
    }
  });
  const med = (x: number[]) => x.sort((a, b) => a - b)[x.length >> 1]!;
  for (const name of Object.keys(ops)) console.log(name.padEnd(20), med(rate[name]!).toFixed(0), "/s", med(cpus[name]!).toFixed(2), "ms cpu");
});
await Effect.runPromise(Effect.provide(prog, imapOnDovecot()));
process.exit(0);
