import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openMail } from "./open-mail.ts";

const dataDir = mkdtempSync(join(tmpdir(), "postern-"));
after(() => rmSync(dataDir, { recursive: true, force: true }));

const listen = async (listener: RequestListener) => {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const objects = new Map<string, Buffer>();
const bucket = await listen(async (request, response) => {
  const name = request.url!;
  if (request.method === "PUT") objects.set(name, Buffer.concat(await request.toArray()));
  if (request.method === "DELETE") objects.delete(name);
  const found = objects.get(name);
  response.writeHead(found === undefined ? 404 : 200).end(found);
});

const messages: Array<{ readonly from: string; readonly recipients: ReadonlyArray<string>; readonly raw: string }> = [];
let answer = 202;
const api = await listen(async (request, response) => {
  if (answer < 300) messages.push(JSON.parse(Buffer.concat(await request.toArray()).toString()));
  response.writeHead(answer).end();
});

const ME = "demo@postern.test";
const mail = { to: "you@example.com", subject: "Hi", text: "See the report." };

test("uploads are in the object store, and mail is sent by the API", { timeout: 30_000 }, async () => {
  const postern = await openMail(dataDir, bucket, api);
  try {
    await postern.signIn(ME, "demo");
    const upload = await postern.uploads.upload(ME, new File(["The report."], "report.txt", { type: "text/plain" }));
    assert.equal(objects.get(`/${upload.id}`)?.toString(), "The report.");

    const receipt = await postern.send(ME, { ...mail, attachments: [{ id: upload.id }] });
    assert.equal(receipt.status, "sent");
    const [message] = messages;
    assert.deepEqual([message!.from, message!.recipients], [ME, ["you@example.com"]]);
    assert.match(Buffer.from(message!.raw, "base64").toString(), new RegExp(btoa("The report.")));

    answer = 422;
    await assert.rejects(postern.send(ME, mail), /the mail API answered 422/);
  } finally {
    await postern.stop();
  }
});
