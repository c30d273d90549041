import { Readable } from "node:stream";
import { expect, expectTypeOf, it } from "vitest";
import { ApiProblem, createClient } from "../src/index.ts";
import { type Answers, json, scripted } from "./scripted.ts";

const clientOf = (...answers: Answers) => {
  const { fetch, asked } = scripted(...answers);
  return { postern: createClient({ baseUrl: "https://postern.test/mail/", fetch }), asked };
};

it("iterates over all pages by cursor, and fetches a page when the loop reaches it", async () => {
  const page =
    (nextCursor: string | null, ...uids: ReadonlyArray<number>) =>
    () =>
      json(200, { ok: true, emails: uids.map((uid) => ({ uid })), nextCursor });
  const { postern, asked } = clientOf(page("c 1", 3, 2), page("c2"), page(null, 1));
  const uids: Array<number> = [];
  for await (const email of postern.all("GET /api/inbox", { query: { folder: "Bills", limit: 2 } })) {
    expectTypeOf(email.subject).toEqualTypeOf<string>();
    if (uids.length === 0) expect(asked).toHaveLength(1);
    uids.push(email.uid);
  }
  expect(uids).toEqual([3, 2, 1]);
  expect(asked.map(({ path }) => path)).toEqual([
    "/mail/api/inbox?folder=Bills&limit=2",
    "/mail/api/inbox?folder=Bills&limit=2&cursor=c+1",
    "/mail/api/inbox?folder=Bills&limit=2&cursor=c2",
  ]);
});

it("iterates over deliveries, and refuses operations without pages", async () => {
  const { postern } = clientOf(() => json(200, { ok: true, data: [{ id: "del_1" }], nextCursor: null }));
  for await (const delivery of postern.all("GET /api/settings/webhooks/:id/deliveries", { params: { id: "we_1" } }))
    expect(delivery.id).toBe("del_1");
  // @ts-expect-error the list of folders has no pages
  void postern.all("GET /api/folders");
});

it("uploads bytes, Blobs and streams as one file of a form", async () => {
  const upload = { id: "u_1", name: "a.txt", url: "/api/uploads/u_1", type: "text/plain", size: 5 };
  const bytes = new TextEncoder().encode("héllo");
  const contents = () => [
    bytes,
    bytes.buffer,
    Buffer.from(bytes),
    new Blob([bytes]),
    new Blob([bytes]).stream(),
    Readable.from([Buffer.from(bytes.subarray(0, 2)), Buffer.from(bytes.subarray(2))]),
  ];
  for (const content of contents()) {
    const { fetch, asked } = scripted(
      () => json(401, { code: "unauthorized" }),
      () => json(200, { ok: true, token: "t2", refreshToken: "r2" }),
      () => json(200, { ok: true, data: upload }),
    );
    const tokens = { token: "t1", refreshToken: "r1" };
    const postern = createClient({ baseUrl: "http://postern.test", fetch, tokens });
    expect(await postern.upload({ name: "a.txt", content, type: "text/plain" })).toEqual(upload);
    for (const { headers, body } of [asked[0]!, asked[2]!]) {
      const form = await new Response(new Uint8Array(body), { headers }).formData();
      const file = form.get("file") as File;
      expect([file.name, file.type, await file.text()]).toEqual(["a.txt", "text/plain", "héllo"]);
    }
  }
});

it("downloads as a stream, and sends its token nowhere else", async () => {
  const chunks = () => new Response(new Blob(["abc", "def"]).stream(), { headers: { "content-type": "image/png" } });
  const { postern, asked } = clientOf(chunks);
  const answer = await postern.download("/mail/api/messages/m_1/attachments/2", { range: "bytes=0-5" });
  expect(answer.headers.get("content-type")).toBe("image/png");
  expect(await new Response(answer.body).text()).toBe("abcdef");
  expect(asked[0]!.path).toBe("/mail/api/messages/m_1/attachments/2");
  expect(asked[0]!.headers.get("range")).toBe("bytes=0-5");
  const outside = [
    "https://elsewhere.test/x",
    "//elsewhere.test/x",
    "http://postern.test/x",
    "/mailbox/api/x",
    "/other",
  ];
  for (const url of outside) await expect(postern.download(url)).rejects.toThrow(TypeError);
  expect(asked).toHaveLength(1);
  await postern.download("/api/uploads/up_1");
  expect(asked[1]!.path).toBe("/mail/api/uploads/up_1");
});

it("answers with bytes where the answer is no JSON", async () => {
  const { postern } = clientOf(() => new Response("From: a", { headers: { "content-type": "message/rfc822" } }));
  const raw = await postern("GET /api/messages/:id/raw", { params: { id: "m_1" } });
  expectTypeOf(raw).toExtend<Uint8Array>();
  expect(new TextDecoder().decode(raw)).toBe("From: a");
});

it("rejects with the code, the status, the fields at fault, the id of the request and the cause", async () => {
  const errors = [{ field: "to", message: "must be an e-mail address" }];
  const { postern } = clientOf(() => json(400, { code: "invalid_request", title: "t", requestId: "r-1", errors }));
  const problem = await postern("GET /api/folders").catch((error: unknown) => error);
  expect(problem).toBeInstanceOf(ApiProblem);
  expect(problem).toMatchObject({ code: "invalid_request", status: 400, requestId: "r-1", errors });
  const cause = new TypeError("ECONNREFUSED");
  const down = createClient({ baseUrl: "http://postern.test", fetch: () => Promise.reject(cause), retries: 0 });
  await expect(down("GET /api/folders")).rejects.toMatchObject({ status: 0, code: "offline", cause });
});
