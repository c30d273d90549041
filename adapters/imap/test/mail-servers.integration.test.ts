import { assert, it } from "@effect/vitest";
import { HostAdmission } from "@postern/core/accounts";
import { CredentialVault, MailLogin } from "@postern/core/auth";
import { MailboxTree } from "@postern/core/folders";
import { MailServers, NoMailServers } from "@postern/core/mail";
import { type AccountId, accountIdOf } from "@postern/core/shared";
import { layer as imap } from "@postern/imap";
import { mailServersContract, passwordsOnly, scriptedGuard } from "@postern/testkit";
import { Effect, Layer, Option, Redacted } from "effect";
import { vaultInMemory } from "./doubles.ts";
import { failureOf } from "./failure-of.ts";
import { scriptedServer } from "./scripted-server.ts";

const accountOf = (name: string): AccountId => Option.getOrThrow(accountIdOf(`${name}@example.org`));
const credentialOf = (name: string) => ({
  _tag: "Password" as const,
  username: `${name}@example.org`,
  password: Redacted.make("correct"),
});

const HERE = {
  imap: { host: "imap.example.org", port: 993, tls: "implicit", origin: "operator" },
  smtp: { host: "smtp.example.org", port: 587, tls: "starttls", origin: "operator" },
} as const;
mailServersContract("MailServers, fixed", MailServers.fixed(HERE), {
  servers: new Map(["jane", "john"].map((name) => [accountOf(name), HERE])),
});

it.live("connects each account to its own server, and fails for an account without servers", () =>
  Effect.gen(function* () {
    const [janes, johns] = [yield* scriptedServer({}), yield* scriptedServer({})];
    const ports = new Map([
      [accountOf("jane"), janes.port],
      [accountOf("john"), johns.port],
    ]);
    const servers = Layer.succeed(MailServers, {
      of: (account) => {
        const port = ports.get(account);
        if (port === undefined) return new NoMailServers();
        const server = { host: "127.0.0.1", port, tls: "plaintext", origin: "operator" } as const;
        return Effect.succeed({ imap: server, smtp: server });
      },
    });
    yield* Effect.gen(function* () {
      const tree = yield* MailboxTree;
      const login = yield* MailLogin;
      const vault = yield* CredentialVault;
      for (const name of ["jane", "john", "jack"]) yield* vault.keep(accountOf(name), credentialOf(name));
      const loginsAt = ({ commands }: typeof janes) => commands.filter((one) => one.startsWith("LOGIN")).join();
      yield* login.verify(accountOf("jane"), credentialOf("jane"));
      yield* tree.list(accountOf("jane"));
      assert.strictEqual(johns.commands.length, 0);
      yield* tree.list(accountOf("john"));
      assert.notInclude(loginsAt(janes), "john");
      assert.notInclude(loginsAt(johns), "jane");
      assert.include(loginsAt(johns), "john");
      const nowhere = "MailServerError unreachable";
      assert.strictEqual(yield* failureOf(tree.list(accountOf("jack"))), nowhere);
      assert.strictEqual(yield* failureOf(login.verify(accountOf("jack"), credentialOf("jack"))), nowhere);
    }).pipe(
      Effect.provide(
        imap().pipe(
          Layer.provide([servers, scriptedGuard(), HostAdmission.unlimited, passwordsOnly]),
          Layer.provideMerge(vaultInMemory),
        ),
      ),
    );
  }).pipe(Effect.scoped),
);
