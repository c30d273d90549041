import { createServer, type Server, type Socket } from "node:net";
import { once } from "node:events";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient, type MailEvent, type SessionTokens } from "../src/index.ts";
import { startService } from "./service.ts";

let service: Awaited<ReturnType<typeof startService>>;
/** A way to the service whose connections a test cuts. */
let proxy: Server;
const sockets = new Set<Socket>();
let baseUrl = "";

beforeAll(async () => {
  service = await startService();
  const { hostname, port } = new URL(service.baseUrl);
  proxy = createServer((socket) => {
    const onward = connect(Number(port), hostname);
    sockets.add(socket);
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const address = proxy.address();
  baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : address}`;
});

afterAll(async () => {
  cut();
  proxy.close();
  await service.stop();
});

const cut = (): void => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
};

const signedIn = async (email: string) => {
  const postern = createClient({ baseUrl });
  await postern.signIn(email, "demo");
  return postern;
};

const MARK = "client test";

it("sends an uploaded file, finds it page by page, and downloads it", async () => {
  const [demo, friend] = [await signedIn("demo@postern.test"), await signedIn("friend@postern.test")];
  const content = () => Readable.from([Buffer.alloc(100_000, "a"), Buffer.alloc(100_000, "b")]);
  const file = await demo.upload({ name: "letters.txt", content: content(), type: "text/plain" });
  expect(file).toMatchObject({ name: "letters.txt", size: 200_000, type: "text/plain" });
  for (const subject of [`${MARK} 1`, `${MARK} 2`, `${MARK} 3`]) {
    const payload = { to: "friend@postern.test", subject, text: ".", attachments: [file] };
    expect(await demo("POST /api/send", { payload })).toMatchObject({ status: "sent" });
  }
  const found: Array<string> = [];
  const query = { folder: "inbox", subject: MARK, limit: 2 };
  for await (const { id } of friend.all("GET /api/search", { query })) found.push(id);
  expect(found).toHaveLength(3);
  const { data } = await friend("GET /api/messages/:id", { params: { id: found[0]! } });
  expect(data.subject).toBe(`${MARK} 3`);
  const download = await friend.download(data.attachments[0]!.url);
  expect(await download.text()).toBe("a".repeat(100_000) + "b".repeat(100_000));
  expect(await (await friend.download(data.rawUrl, { range: "bytes=0-9" })).text()).toHaveLength(10);
  await expect(friend("GET /api/messages/:id", { params: { id: "m_0" } })).rejects.toMatchObject({
    status: 404,
    code: "message_not_found",
    requestId: expect.any(String),
  });
});

it("has every event once across connections that are cut, also before the first event", async () => {
  const demo = await signedIn("demo@postern.test");
  const abort = new AbortController();
  const events: Array<MailEvent> = [];
  let gaps = 0;
  const following = (async () => {
    for await (const event of demo.events({ signal: abort.signal, onGap: () => void gaps++ })) events.push(event);
  })();
  const stopped = expect(following).rejects.toThrow("enough");
  const subjects = ["cut 1", "cut 2", "cut 3"];
  for (const subject of subjects) {
    await new Promise((passed) => setTimeout(passed, 500));
    cut();
    await demo("POST /api/send", { payload: { to: "demo@postern.test", subject, text: "." } });
  }
  const received = () => events.flatMap(({ event, data }) => (event === "email.received" ? [data["subject"]] : []));
  await expect.poll(received).toEqual(subjects);
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  expect(gaps).toBe(0);
  abort.abort(new Error("enough"));
  await stopped;
});

it("refreshes a session stored by another client, once for parallel calls", async () => {
  const kept: Array<SessionTokens | null> = [];
  const onTokens = (tokens: SessionTokens | null) => kept.push(tokens);
  await createClient({ baseUrl, onTokens }).signIn("demo@postern.test", "demo");
  const tokens = { ...kept.pop()!, token: "expired" };
  const postern = createClient({ baseUrl, tokens, onTokens });
  const answers = await Promise.all(Array.from({ length: 10 }, () => postern("GET /api/folders")));
  expect(answers).toHaveLength(10);
  expect(kept).toHaveLength(1);
  await postern.signOut();
  await expect(postern("GET /api/folders")).rejects.toMatchObject({ status: 401, code: "unauthorized" });
});
