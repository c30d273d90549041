import { describeWithDovecot } from "@postern/testkit";
import { afterAll, expect, it } from "vitest";
import { draftMail, ME } from "./draft-world.ts";
import { fieldOf } from "./mailbox-view.ts";

describeWithDovecot("the message that is the copy of a draft", () => {
  const mail = draftMail();
  let world: Awaited<ReturnType<typeof mail.world>>;
  afterAll(() => mail.dispose());

  it("is the same draft by its own id too: opened, saved, deleted, and sent once [S12.1-18]", async () => {
    world = await mail.world();
    await opensOwn();
    await opensAdopted();
    await sendsOnce();
  });

  /** The ids of the messages in Drafts, newest first. */
  const messageIds = async (): Promise<ReadonlyArray<string>> =>
    (await world.me.done("GET", "/api/inbox?folder=drafts")).emails.map(({ id }: { readonly id: string }) => id);

  const emptied = async () => {
    for (const { uid } of await world.view.messages("Drafts")) await world.view.remove("Drafts", uid);
    for (const { id } of await world.me.list()) await world.me.get(id);
  };

  const opensOwn = async () => {
    const { me, view } = world;
    const { id, version } = (await me.create({ subject: "own", text: "one" }))!.body.data;
    const [first] = await messageIds();
    expect((await me.get(first!))?.body.data).toMatchObject({ id, version, subject: "own" });
    const saved = await me.save(first!, version, { subject: "own", text: "two" });
    expect([saved?.status, saved?.body.data.id]).toEqual([200, id]);
    expect((await me.list()).map((draft) => draft.id)).toEqual([id]);
    expect(await view.messages("Drafts")).toHaveLength(1);
    const [second] = await messageIds();
    expect((await me.call("DELETE", `/api/drafts/${second!}`))?.status).toBe(200);
    expect(await me.list()).toEqual([]);
    expect((await me.get(id))?.status).toBe(404);
  };

  const opensAdopted = async () => {
    const { me, view } = world;
    await view.append("Drafts", `From: ${ME}\r\nSubject: theirs\r\n\r\nfirst\r\n`);
    const { id, version } = (await me.get((await me.list())[0]!.id))!.body.data;
    await me.save(id, version, { subject: "theirs", text: "second" });
    const [copy] = await messageIds();
    expect(copy).not.toBe(id);
    expect((await me.get(copy!))?.body.data.id).toBe(id);
    const { raw, uid } = (await view.messages("Drafts"))[0]!;
    const mark = `X-Postern-Draft: ${fieldOf(raw, "X-Postern-Draft")}\r\n`;
    await view.append("Drafts", `From: ${ME}\r\nSubject: edited\r\n${mark}\r\nthird\r\n`);
    await view.remove("Drafts", uid);
    const [edited] = await messageIds();
    const opened = await me.get(edited!);
    expect(opened?.body, JSON.stringify([copy, edited])).toMatchObject({ data: { id, subject: "edited" } });
    expect((await me.list()).map((draft) => [draft.id, draft.subject])).toEqual([[id, "edited"]]);
    await emptied();
  };

  const sendsOnce = async () => {
    const { me, smtp } = world;
    const { id } = (await me.create({ to: "a@y.test", subject: "once", text: "t" }))!.body.data;
    const [copy] = await messageIds();
    const before = smtp.taken().length;
    const answers = await Promise.all([copy!, id, copy!].map((one) => me.send(one)));
    // A copy that is removed before its request is served no longer names the draft.
    const sent = answers.filter((answer, n) => n === 1 || answer?.status !== 404);
    expect(sent.map((answer) => answer?.status)).toEqual(sent.map(() => 200));
    expect(new Set(sent.map((answer) => answer?.body.messageId)).size).toBe(1);
    await expect.poll(async () => (await world.view.messages("Drafts")).length).toBe(0);
    expect(smtp.taken()).toHaveLength(before + 1);
    expect((await me.get(copy!))?.status).toBe(404);
  };
});
