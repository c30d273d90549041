import { execFile } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { blocksOf, pagesToPaste } from "./pasted-page.ts";
import { post, signIn, started } from "./server-process.ts";

const run = promisify(execFile);

it("the guide's support program, run at both ends of a conversation, sends one reply each", async () => {
  const { base, port } = await started({});
  const page = (await pagesToPaste()).find(({ name }) => name === "docs/guides/support-inbox.md")!;
  const { code } = blocksOf(page.text).find(({ file }) => file === "support.py")!;
  const program = join(await mkdtemp(join(tmpdir(), "support-")), "support.py");
  await writeFile(program, code.replaceAll(/\b3000\b/g, String(port)));
  const people = ["demo@postern.test", "friend@postern.test"];
  const tokens = await Promise.all(people.map(async (email) => (await signIn(base, email)).token));
  for (const [n, token] of tokens.entries()) {
    const letter = { to: people[1 - n], subject: `Order 1042 of ${n}`, text: "Where is it?" };
    expect((await post(base, "/api/send", letter, token)).status).toBe(200);
  }
  for (let round = 0; round < 3; round++)
    for (const token of tokens) await run("python3", [program], { env: { ...process.env, TOKEN: token } });

  for (const [n, token] of tokens.entries()) {
    const authorization = `Bearer ${token}`;
    const answer = await fetch(`${base}/api/search?subject=order%201042&folder=Handled`, {
      headers: { authorization },
    });
    const found = (await answer.json()) as { readonly emails: ReadonlyArray<{ readonly subject: string }> };
    // INBOX has the letter of the other side and its one reply; our replies are in Sent.
    expect(found.emails.map(({ subject }) => subject).toSorted()).toEqual([
      `Order 1042 of ${1 - n}`,
      `Re: Order 1042 of ${n}`,
    ]);
  }
});
