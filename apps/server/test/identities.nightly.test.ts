import { describeWithDovecot } from "@postern/testkit";
import { afterAll, expect, it } from "vitest";
import type { Answer } from "./draft-client.ts";
import { draftMail, ME, OTHER } from "./draft-world.ts";

const ADMIN_KEY = "admin-key-of-the-tests-0123456789abcdef";

const AS_ADMIN = { authorization: `Bearer ${ADMIN_KEY}` };

const told = (answer: Answer | undefined) => [answer?.status, answer?.body.code];
const fieldsOf = (answer: Answer | undefined) => answer?.body.errors?.map(({ field }: { field: string }) => field);

describeWithDovecot("identities over HTTP", () => {
  const mail = draftMail();
  afterAll(() => mail.dispose());
  let world: Awaited<ReturnType<typeof mail.world>>;

  const list = async () => (await world.me.done("GET", "/api/identities")).data;
  const create = (identity: object) => world.me.call("POST", "/api/identities", identity);
  const change = (id: string, fields: object) => world.me.call("PATCH", `/api/identities/${id}`, fields);
  /** Sends a message; returns its answer, and the From and Reply-To that the server received. */
  const send = async (fields: object) => {
    const { me, smtp } = world;
    const before = smtp.taken().length;
    const answer = await me.call("POST", "/api/send", { to: "z@y.test", subject: "s", text: "t", ...fields });
    const [taken] = smtp.taken().slice(before);
    const field = (name: string) => new RegExp(`^${name}: *(.*)$`, "im").exec(taken?.raw ?? "")?.[1];
    return { answer, envelope: taken?.from, from: field("From"), replyTo: field("Reply-To") };
  };

  it("are verified by a confirmed link, name the sender, and keep their limits", async () => {
    world = await mail.world({ ADMIN_KEY, SENDER_BLOCKLIST: "blocked@x.test" });
    await startWithTheOwnAddress();
    await refuseFaults();
    const alias = await areVerifiedByTheButton();
    await nameTheSender(alias);
    await areVerifiedByTheOperator();
  });

  // [S12.2-2]
  const startWithTheOwnAddress = async () => {
    const { me } = world;
    const [own, ...rest] = await list();
    expect(rest).toEqual([]);
    const account = async () => (await me.done("GET", `/api/accounts/${ME}`, undefined, AS_ADMIN)).data;
    expect(own).toEqual({
      version: expect.stringMatching(/^[\w-]{16}$/),
      id: (await account()).id,
      name: "",
      address: ME,
      replyTo: null,
      signatureText: "",
      signatureHtml: "",
      isDefault: true,
      verified: true,
    });
    expect((await change(own.id, { name: "Ünal", signatureText: "U." }))?.body.data).toMatchObject({ name: "Ünal" });
    expect((await account()).name).toBe("Ünal");
    expect(told(await me.call("DELETE", `/api/identities/${own.id}`))).toEqual([409, "identity_own"]);
    expect(told(await change(own.id, { address: "new@x.test" }))).toEqual([400, "invalid_request"]);
    expect(told(await change("idn_unknown", {}))).toEqual([404, "identity_not_found"]);
    expect(told(await me.call("DELETE", "/api/identities/idn_unknown"))).toEqual([404, "identity_not_found"]);
  };

  // [S12.2-6]
  const refuseFaults = async () => {
    for (const [fields, body] of [
      [["address"], { address: "no address" }],
      [["address"], {}],
      [["replyTo"], { address: "a@x.test", replyTo: "nowhere" }],
      [["signatureText"], { address: "a@x.test", signatureText: "x".repeat(65_537) }],
    ] as const) {
      const answer = await create(body);
      expect([...told(answer), fieldsOf(answer)], JSON.stringify(body).slice(0, 60)).toEqual([
        400,
        "invalid_request",
        fields,
      ]);
    }
    expect(told(await create({ address: ME.toUpperCase() }))).toEqual([409, "identity_exists"]);
    expect(told(await create({ address: "blocked@x.test" }))).toEqual([403, "sender_blocked"]);
    expect(await list()).toHaveLength(1);
  };

  // [S12.2-3] [S12.2-5] [S12.2-7]
  const areVerifiedByTheButton = async () => {
    const { me, other, smtp, base } = world;
    const alias = (await create({ name: "Sales", address: "sales@x.test", replyTo: "desk@x.test" }))!.body.data;
    expect(alias.verified).toBe(false);
    expect(told(await create({ address: "SALES@x.test" }))).toEqual([409, "identity_exists"]);
    await expect.poll(() => smtp.taken().at(-1)?.recipients).toEqual(["sales@x.test"]);
    expect(told(await change(alias.id, { isDefault: true }))).toEqual([409, "identity_unverified"]);
    expect(told(await create({ address: "early@x.test", isDefault: true }))).toEqual([409, "identity_unverified"]);
    expect((await list()).map(({ isDefault }: { isDefault: boolean }) => isDefault)).toEqual([true, false]);
    const [link] = /http:\/\/\S+\/verify\/[\w-]+/.exec(smtp.taken().at(-1)!.raw.replaceAll("=\r\n", ""))!;
    const path = new URL(link).pathname;
    for (const from of [alias.id, "sales@x.test"]) {
      expect(told((await send({ from })).answer), from).toEqual([403, "sender_not_allowed"]);
    }
    expect((await fetch(base + path)).status).toBe(200);
    expect((await list())[1].verified, "opening the link").toBe(false);
    expect((await fetch(`${base}${path}x`, { method: "POST" })).status).toBe(404);
    expect((await fetch(base + path, { method: "POST" })).status).toBe(200);
    expect((await list())[1].verified, "the button").toBe(true);
    expect((await fetch(base + path, { method: "POST" })).status, "the second time").toBe(404);
    expect(told(await other.call("DELETE", `/api/identities/${alias.id}`))).toEqual([404, "identity_not_found"]);
    expect(
      told(await other.call("POST", "/api/send", { to: ME, subject: "s", text: "t", from: "sales@x.test" })),
    ).toEqual([403, "sender_not_allowed"]);
    expect(told(await me.call("POST", "/api/send", { to: ME, subject: "s", text: "t", from: OTHER }))).toEqual([
      403,
      "sender_not_allowed",
    ]);
    return alias.id as string;
  };

  // [S12.2-4] [S12.2-12] [S12.2-13]
  const nameTheSender = async (alias: string) => {
    for (const [from, name] of [
      [alias, "Sales"],
      ["sales@x.test", "Sales"],
      [{ name: "Shop", address: "Sales@x.test" }, "Shop"],
    ] as const) {
      const sent = await send({ from });
      expect(sent.from, JSON.stringify(from)).toContain(name);
      expect(sent).toMatchObject({ envelope: ME, replyTo: "desk@x.test" });
      expect(sent.from?.toLowerCase()).toContain("<sales@x.test>");
    }
    expect(await send({ from: alias, replyTo: "own@y.test" })).toMatchObject({ replyTo: "own@y.test" });
    expect((await send({})).from).toContain(`<${ME}>`);
    await change(alias, { isDefault: true });
    expect((await list()).map(({ isDefault }: { isDefault: boolean }) => isDefault)).toEqual([false, true]);
    expect((await send({})).from).toContain("<sales@x.test>");
    await world.me.done("DELETE", `/api/identities/${alias}`);
    expect((await list()).map(({ isDefault }: { isDefault: boolean }) => isDefault)).toEqual([true]);
    expect(told((await send({ from: "sales@x.test" })).answer)).toEqual([403, "sender_not_allowed"]);
  };

  // [S12.2-1] [S12.2-11]
  const areVerifiedByTheOperator = async () => {
    const { me, smtp } = world;
    const before = smtp.taken().length;
    const asAdmin = { ...AS_ADMIN, "postern-account": ME };
    const trusted = await me.call("POST", "/api/identities", { address: "trusted@x.test" }, asAdmin);
    expect(trusted?.body.data).toMatchObject({ address: "trusted@x.test", verified: true });
    expect((await send({ from: "trusted@x.test" })).from).toContain("trusted@x.test");
    expect(smtp.taken()).toHaveLength(before + 1);
    const more = Array.from({ length: 109 }, (_, n) => `a${n}@x.test`);
    const add = (addresses: ReadonlyArray<string>) =>
      Promise.all(addresses.map((address) => me.call("POST", "/api/identities", { address }, asAdmin)));
    // No more than 64 requests of an account may be in progress.
    const added = [...(await add(more.slice(0, 49))), ...(await add(more.slice(49)))];
    expect(added.filter((answer) => answer?.status === 200)).toHaveLength(99);
    for (const refused of added.filter((answer) => answer?.status !== 200)) {
      expect(told(refused)).toEqual([409, "too_many_identities"]);
    }
    expect(told(await me.call("POST", "/api/identities", { address: "b@x.test" }, asAdmin))).toEqual([
      409,
      "too_many_identities",
    ]);
  };
});
