import { describeWithDovecot } from "@postern/testkit";
import { afterAll, expect, it } from "vitest";
import type { Answer } from "./draft-client.ts";
import { draftMail, ME } from "./draft-world.ts";
import { fieldOf } from "./mailbox-view.ts";

const MIB = 1024 * 1024;
const LATER = () => new Date(Date.now() + 86_400_000).toISOString();

const told = (answer: Answer | undefined) => [answer?.status, answer?.body.code];
const fieldsOf = (answer: Answer | undefined) => answer?.body.errors?.map(({ field }: { field: string }) => field);

describeWithDovecot("drafts over HTTP", () => {
  const mail = draftMail();
  let world: Awaited<ReturnType<typeof mail.world>>;
  afterAll(() => mail.dispose());

  it("are saved by version, follow other mail programs, are sent once and keep their limits", async () => {
    world = await mail.world();
    await savesVersions();
    await refusesFaults();
    await followsOtherPrograms();
    await sends();
    await sendsTheNamedVersion();
    await limitsFiles();
  });

  // [S12.1-1] [S12.1-4] [S12.1-5] [S12.1-6] [S12.1-7] [S12.1-10]
  const savesVersions = async () => {
    const { me, other, view } = world;
    const empty = await me.create({});
    expect(empty?.body.data).toMatchObject({ state: "draft", reason: null, to: [], subject: "", attachments: [] });
    const { id, version } = empty!.body.data;
    expect(empty!.etag).toBe(`"${version}"`);
    expect(told(await me.call("PUT", `/api/drafts/${id}`, {}))).toEqual([428, "if_match_required"]);
    const mine = { to: "half an addr", bcc: "b@y.test", subject: "s", text: "one" };
    const first = await me.save(id, version, mine);
    expect(first?.body.data).toMatchObject({ id, to: [{ name: "", address: "half an addr" }], text: "one" });
    expect(first!.etag).toBe(`"${first!.body.data.version}"`);
    expect(first!.body.data.version).not.toBe(version);
    for (const stale of [version, `"${version}"`, "x", `"${first!.body.data.version}`]) {
      expect(told(await me.save(id, stale, { text: "stale" })), stale).toEqual([409, "draft_changed"]);
    }
    const second = await me.save(id, `W/"${first!.body.data.version}"`, { ...mine, text: "two" });
    expect(second?.status).toBe(200);
    const [copy, ...rest] = await view.messages("Drafts");
    expect(rest).toEqual([]);
    expect(copy!.flags.split(" ").toSorted()).toEqual(["\\Draft", "\\Seen"]);
    expect([fieldOf(copy!.raw, "Bcc"), fieldOf(copy!.raw, "X-Postern-Draft").split(" ")[0]]).toEqual(["b@y.test", id]);
    expect(await me.list()).toEqual([
      expect.not.objectContaining({ text: expect.anything(), html: expect.anything() }),
    ]);
    for (const [method, path] of [
      ["GET", ""],
      ["PUT", ""],
      ["DELETE", ""],
      ["POST", "/send"],
    ] as const) {
      const body = method === "PUT" ? {} : undefined;
      const strange = await other.call(method, `/api/drafts/${id}${path}`, body, { "if-match": "2" });
      expect(told(strange), method).toEqual([404, "draft_not_found"]);
    }
    expect(told(await me.send(id))).toEqual([400, "invalid_request"]);
    expect(fieldsOf(await me.send(id))).toEqual(["to"]);
    expect((await me.call("DELETE", `/api/drafts/${id}`))?.body.data).toEqual({ id, deleted: true });
    expect(told(await me.get(id))).toEqual([404, "draft_not_found"]);
    expect(await view.messages("Drafts")).toEqual([]);
  };

  // [S12.1-9]
  const refusesFaults = async () => {
    const { me, view } = world;
    for (const [field, body] of [
      ["headers", { headers: { "X-Postern-Draft": "dft_1 t" } }],
      ["headers", { headers: { Subject: "x" } }],
      ["subject", { subject: "a\r\nBcc: x@y.test" }],
      ["sendAt", { sendAt: "tomorrow" }],
      ["inReplyTo", { inReplyTo: "no id" }],
      ["attachments.0", { attachments: [{ id: "upl_unknown" }] }],
      ["to", { to: Array.from({ length: 501 }, (_, n) => `a${n}@y.test`) }],
    ] as const) {
      const answer = await me.create(body);
      expect([...told(answer), ...new Set(fieldsOf(answer))], field).toEqual([400, "invalid_request", field]);
    }
    expect(await view.messages("Drafts")).toEqual([]);
  };

  // [S12.1-11] [S12.1-19]
  const followsOtherPrograms = async () => {
    const { me, view } = world;
    const text = (words: string, mark = "") => `From: ${ME}\r\nSubject: elsewhere\r\n${mark}\r\n${words}\r\n`;
    const made = (await me.create({ subject: "here", text: "mine" }))!.body.data;
    const [copy] = await view.messages("Drafts");
    await view.append("Drafts", text("theirs", `X-Postern-Draft: ${fieldOf(copy!.raw, "X-Postern-Draft")}\r\n`));
    await view.remove("Drafts", copy!.uid);
    expect(told(await me.save(made.id, made.version, { text: "mine too" }))).toEqual([409, "draft_changed"]);
    expect((await me.list()).map(({ id, subject }) => [id, subject])).toEqual([[made.id, "elsewhere"]]);
    const now = (await me.get(made.id))!.body.data;
    expect([now.id, now.text.trim()]).toEqual([made.id, "theirs"]);
    expect(now.version).not.toBe(made.version);
    expect((await me.save(made.id, now.version, { subject: "both", text: "theirs and mine" }))?.status).toBe(200);
    expect(await view.messages("Drafts")).toHaveLength(1);

    await view.append("Drafts", text("a draft of another program"));
    const found = (await me.list()).find(({ subject }) => subject === "elsewhere")!;
    const opened = (await me.get(found.id))!.body.data;
    expect((await me.save(found.id, opened.version, { subject: "adopted", text: "ours" }))?.body.data.id).toBe(
      found.id,
    );
    expect((await me.list()).map(({ subject }) => subject).toSorted()).toEqual(["adopted", "both"]);

    const drafts = await me.list();
    for (const { uid } of await view.messages("Drafts")) await view.remove("Drafts", uid);
    for (const { id, version } of drafts) {
      expect(told(await me.save(id, version, {})), "deleted elsewhere").toEqual([409, "draft_changed"]);
      expect(told(await me.get(id))).toEqual([404, "draft_not_found"]);
    }
    expect(await me.list()).toEqual([]);
  };

  // [S12.1-21]
  const sendsTheNamedVersion = async () => {
    const { me } = world;
    const approved = await me.create({ to: "good@y.test", subject: "approved", text: "one" });
    const { id, version } = approved!.body.data;
    const saved = await me.save(id, version, { to: "evil@y.test", subject: "changed", text: "two" });
    const outbox = async () => (await me.done("GET", "/api/outbox")).data;
    const before = (await outbox()).length;
    const at = (method: string, path: string, ifMatch: string) =>
      me.call(method, `/api/drafts/${id}${path}`, undefined, { "if-match": ifMatch });
    expect(told(await at("POST", "/send", approved!.etag!))).toEqual([409, "draft_changed"]);
    expect(told(await at("DELETE", "", approved!.etag!))).toEqual([409, "draft_changed"]);
    expect(await outbox()).toHaveLength(before);
    const sent = await at("POST", "/send", saved!.etag!);
    expect(sent).toMatchObject({ status: 200, body: { ok: true } });
    // A repeat gets the first receipt, but not for a version that was not sent.
    expect((await at("POST", "/send", saved!.etag!))?.body.id).toBe(sent?.body.id);
    expect(told(await at("POST", "/send", approved!.etag!))).toEqual([409, "draft_changed"]);
    expect(await outbox()).toHaveLength(before + 1);
  };

  // [S12.1-4] [S12.1-8] [S12.1-10] [S12.1-22] [S12.1-23] [S12.1-24]
  const sends = async () => {
    const { me, smtp, view } = world;
    const draft = async (more: object = {}) =>
      (await me.create({ to: "a@y.test", bcc: "b@y.test", subject: "s", text: "t", ...more }))!.body.data;
    const [scheduled] = [await draft({ sendAt: LATER() })];
    const receipt = (await me.send(scheduled.id, "one key"))!.body;
    expect(receipt.status).toBe("scheduled");
    expect((await me.get(scheduled.id))?.body.data).toMatchObject({ state: "sending", reason: null });
    expect(told(await me.save(scheduled.id, scheduled.version, {}))).toEqual([409, "draft_changed"]);
    expect(told(await me.call("DELETE", `/api/drafts/${scheduled.id}`))).toEqual([409, "draft_changed"]);
    expect((await me.send(scheduled.id))?.body.id).toBe(receipt.id);
    expect((await me.call("DELETE", `/api/outbox/${receipt.id}`))?.status).toBe(200);
    expect((await me.get(scheduled.id))?.body.data).toMatchObject({
      state: "draft",
      reason: null,
      version: scheduled.version,
    });

    smtp.behave({
      rcpt: {
        "a@y.test": { code: 550, enhanced: "5.1.1", text: "no" },
        "b@y.test": { code: 550, enhanced: "5.1.1", text: "no" },
      },
    });
    const refused = await draft();
    expect(told(await me.send(refused.id))).toEqual([400, "recipient_refused"]);
    expect((await me.get(refused.id))?.body.data).toMatchObject({
      state: "draft",
      reason: { reason: "recipient_refused" },
    });
    smtp.behave({});
    const sent = await Promise.all(
      Array.from({ length: 10 }, (_, n) => me.send(refused.id, n % 2 === 0 ? "k" : undefined)),
    );
    expect(sent.map((answer) => [answer?.status, answer?.body.messageId])).toEqual(
      sent.map(() => [200, sent[0]!.body.messageId]),
    );
    expect(told(await me.get(refused.id))).toEqual([404, "draft_not_found"]);
    expect((await me.send(refused.id))?.body.messageId).toBe(sent[0]!.body.messageId);
    expect(smtp.taken()).toMatchObject([{ recipients: ["a@y.test", "b@y.test"] }]);
    expect(smtp.taken()[0]!.raw).not.toMatch(/^(?:X-Postern-Draft|Bcc):/im);
    await expect.poll(async () => (await view.messages("Drafts")).length).toBe(1);
    await me.done("DELETE", `/api/drafts/${scheduled.id}`);

    smtp.behave({ dot: "take and cut" });
    const unknown = await draft({ bcc: [] });
    for (const _ of [1, 2]) expect((await me.send(unknown.id))?.body.code).toBe("send_outcome_unknown");
    expect(smtp.taken()).toHaveLength(2);
    smtp.behave({});
    const again = await me.save(unknown.id, unknown.version, { to: "a@y.test", subject: "s", text: "t" });
    expect((await me.send(unknown.id))?.body.status, again?.body.data.state).toBe("sent");
    expect(smtp.taken()).toHaveLength(3);
  };

  // [S12.4-6]
  const limitsFiles = async () => {
    const { me } = world;
    const content = (bytes: number) => Buffer.alloc(bytes, 7).toString("base64");
    const files = (...sizes: ReadonlyArray<number>) => ({
      attachments: sizes.map((size, n) => ({ content: content(size), name: `f${n}.bin` })),
    });
    const whole = (await me.create(files(3 * MIB, 2 * MIB)))?.body.data;
    expect(whole.attachments.map(({ size }: { size: number }) => size)).toEqual([3 * MIB, 2 * MIB]);
    expect(told(await me.create(files(3 * MIB, 2 * MIB + 1)))).toEqual([413, "payload_too_large"]);
    expect(
      told(await me.call("POST", "/api/send", { to: ME, subject: "s", text: "t", ...files(5 * MIB + 1) })),
    ).toEqual([413, "payload_too_large"]);
    expect(told(await me.create({ text: "x".repeat(8 * MIB + 1) }))).toEqual([413, "payload_too_large"]);

    const byId = { attachments: [{ id: whole.attachments[0].id }] };
    const named = await me.create(byId);
    expect(named?.body.data.attachments).toMatchObject([
      { id: whole.attachments[0].id, name: "f0.bin", size: 3 * MIB },
    ]);
    const { id } = whole.attachments[0];
    for (const [field, attachment] of [
      ["attachments.0", { id, content: content(1) }],
      ["attachments.0", { name: "neither.txt" }],
      ["attachments.0", { id, url: "/api/uploads/upl_other" }],
      ["attachments.0.content", { content: "not base64" }],
      ["attachments.0.content", { content: "YQ=" }],
      ["attachments.0.type", { content: "YQ==", type: "text" }],
      ["attachments.0.name", { content: "YQ==", name: "a\nb" }],
    ] as const) {
      const answer = await me.create({ attachments: [attachment] });
      expect([...told(answer), ...fieldsOf(answer)], JSON.stringify(attachment).slice(0, 80)).toEqual([
        400,
        "invalid_request",
        field,
      ]);
    }
  };
});
