import { createHash, randomBytes } from "node:crypto";
import { freePort } from "@postern/testkit";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, launch, openPage, signIn, updateImage } from "./chromium.ts";
import { told } from "./mail-actors.ts";
import { ADMIN_KEY, startReceiver } from "./service.ts";
import { describeInSandbox, type World } from "./worlds.ts";

let browser: Browser;
let service: World;

const DEMO = "demo@postern.test";
const FRIEND = "friend@postern.test";
const SIZES = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];

const ask = async <Answer>(key: string, path: string, body: object, headers: Readonly<Record<string, string>> = {}) => {
  const answer = await fetch(`${service.base}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, json: (await answer.json()) as Answer };
};

/** Gives an assistant access to the mailbox, as a person does; returns its access token. */
const consent = async (page: Page, callback: string): Promise<string> => {
  const made = await ask<{ readonly data: { readonly id: string } }>(ADMIN_KEY, "/api/oauth/clients", {
    name: "Quay Helper",
    redirectUris: [callback],
  });
  const verifier = randomBytes(32).toString("base64url");
  const asked = {
    client_id: made.json.data.id,
    redirect_uri: callback,
    resource: `${service.base}/mcp`,
  };
  const query = new URLSearchParams({
    ...asked,
    response_type: "code",
    scope: "mail:read mail:draft",
    state: "s",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  await page.goto(`${service.base}/oauth/authorize?${query}`);
  await page.locator("[name=email]").fill(DEMO);
  await page.locator("[name=password]").fill("demo");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL((url) => url.href.startsWith(callback));
  const { searchParams } = new URL(page.url());
  const body = new URLSearchParams({
    ...asked,
    grant_type: "authorization_code",
    code: searchParams.get("code")!,
    code_verifier: verifier,
  });
  const answer = await fetch(`${service.base}/oauth/token`, { method: "POST", body });
  return ((await answer.json()) as { readonly access_token: string }).access_token;
};

const callTool = async (token: string, name: string, args: object) => {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const { json } = await ask<{ readonly result: { readonly structuredContent: Readonly<Record<string, string>> } }>(
    token,
    "/mcp",
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args, _meta: meta } },
    {
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": name,
    },
  );
  return json.result.structuredContent;
};

const enter = async (page: Page, room: string): Promise<void> => {
  await page.goto(`${service.base}/settings/reading`);
  await page
    .getByRole("navigation", { name: "Settings" })
    .getByRole("link", { name: room, exact: true })
    .press("Enter");
  await page.getByRole("heading", { name: room, exact: true, level: 1 }).waitFor();
};

/** Expects that a page is accessible and fits in both themes and sizes; keeps pictures of it in `PICTURES`. */
const expectLooksGood = async (page: Page, what: string): Promise<void> => {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const size of SIZES) {
      await page.setViewportSize(size);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), what).toBeLessThanOrEqual(size.width);
      await expectAccessible(page, `${what}, ${colorScheme}, ${size.width}`);
      const folder = process.env["PICTURES"];
      if (folder === undefined) continue;
      await page.screenshot({ path: `${folder}/${what}-${colorScheme}-${size.width}.png`, fullPage: true });
    }
  }
  await page.setViewportSize(SIZES[0]!);
  await page.emulateMedia({ colorScheme: "light" });
};

describeInSandbox("the pages for agents", (start) => {
  let page: Page;
  let token: string;

  beforeAll(async () => {
    const port = String(await freePort());
    const environment = { ADMIN_KEY, PORT: port, BASE_URL: `http://127.0.0.1:${port}` };
    [browser, service] = await Promise.all([launch(), start(environment)]);
    ({ page } = await openPage(browser, { reducedMotion: "reduce" }));
    await signIn(page, service.base);
    const assistant = await startReceiver();
    token = await consent(page, assistant.url).finally(assistant.stop);
    await page.goto(service.base);
    await page.getByRole("link", { name: "Outbox" }).waitFor();
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), service?.stop()]);
  });

  const askToSend = async (subject: string, to: ReadonlyArray<string>): Promise<void> => {
    const text = `About **${subject}**, as [agreed](https://quay.test).`;
    const { id: draftId, version } = await callTool(token, "write_draft", { kind: "new", to, subject, text });
    await callTool(token, "send_draft", { draftId, version });
  };

  test("an approval shows the whole message, its recipients, the policy and what the agent did, and is approved or denied [S15.8-1]", async () => {
    await callTool(token, "mailboxes", {});
    await askToSend("Berth seven", [FRIEND, "stranger@elsewhere.test"]);
    await askToSend("Berth eight", ["stranger@elsewhere.test"]);
    const waiting = page.getByRole("navigation", { name: "More" }).getByRole("link", { name: "Approvals 2 waiting" });
    await waiting.press("Enter");
    await page.getByRole("link", { name: "Berth seven" }).waitFor();
    await expectLooksGood(page, "approvals");
    await page.getByRole("link", { name: "Berth seven" }).press("Enter");
    await page.getByRole("heading", { name: "Berth seven", level: 1 }).waitFor();
    await page.frameLocator(".message-frame").getByText("agreed (https://quay.test)").waitFor();
    const recipients = page.getByRole("region", { name: "Recipients" }).getByRole("listitem");
    expect(await recipients.filter({ hasText: "stranger@elsewhere.test" }).textContent()).toContain("new");
    await page.getByText("Asks you before it sends anything.").waitFor();
    await page.getByText("Assistant listed folders").waitFor();
    await expectLooksGood(page, "approval");
    await updateImage(page, "approval.png");
    await page.getByRole("button", { name: "Approve and send" }).press("Enter");
    await told(page, "Approved: the message is sent.");
    await page.getByRole("link", { name: "Berth eight" }).press("Enter");
    await page.getByRole("button", { name: "Deny", exact: true }).press("Enter");
    await page.getByLabel("Reason (optional)").fill("Not to them");
    await page.getByRole("dialog").getByRole("button", { name: "Deny" }).press("Enter");
    await told(page, "Denied: nothing is sent. The draft stays in Drafts.");
    await page.getByText("No message waits for your approval").waitFor();
    expect(
      await page
        .getByRole("navigation", { name: "More" })
        .getByRole("link", { name: /^Approvals/ })
        .count(),
    ).toBe(0);
    await page.getByRole("link", { name: "Outbox" }).press("Enter");
    await page.getByText("Berth seven").waitFor();
    expect(await page.getByText("Berth eight").count()).toBe(0);
  });

  test("a message whose draft was changed cannot be approved [S15.8-2]", async () => {
    await askToSend("Berth nine", [FRIEND]);
    await enter(page, "Approvals");
    await page.getByRole("link", { name: "Berth nine" }).press("Enter");
    await page.getByRole("button", { name: "Approve and send" }).waitFor();
    await page.evaluate(async () => {
      const id = location.pathname.split("/").at(-1);
      const { data } = await (await fetch(`/api/approvals/${id}`)).json();
      await fetch(`/api/drafts/${data.draftId}`, {
        method: "PUT",
        headers: { "content-type": "application/json", "if-match": data.version },
        body: JSON.stringify({ to: "friend@postern.test", subject: "Changed", text: "Changed" }),
      });
    });
    await page.getByRole("button", { name: "Approve and send" }).press("Enter");
    await page.getByText("draft changed").waitFor();
    expect(await page.getByRole("button", { name: "Approve and send" }).count()).toBe(0);
  });

  test("the audit of the mailbox names assistants, and an assistant's access is ended [S15.8-3]", async () => {
    await enter(page, "Audit");
    await page.getByText("Quay Helper (assistant)").first().waitFor();
    await page.getByText("Sending approved").waitFor();
    await expectLooksGood(page, "audit");
    await enter(page, "Assistants");
    await page.getByText("Reads mail and writes drafts. Asks you before it sends anything.").waitFor();
    await expectLooksGood(page, "assistants");
    await page.getByRole("button", { name: "End access of Quay Helper" }).press("Enter");
    await page.getByRole("alertdialog").getByRole("button", { name: "End access" }).press("Enter");
    await page.getByText("No assistant has access").waitFor();
    const answer = await ask(token, "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect(answer.status).toBe(401);
  });
});
