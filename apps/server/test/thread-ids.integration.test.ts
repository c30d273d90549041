import { describeWithDovecot } from "@postern/testkit";
import { afterAll, expect, it } from "vitest";
import { draftMail } from "./draft-world.ts";

const derived = (root: string) => `t_${Buffer.from(root).toString("base64url")}`;

const talk = (n: number, ...fields: ReadonlyArray<string>) =>
  ["From: a@x.test", `Subject: talk ${n}`, `Message-ID: <t${n}@x.test>`, ...fields, "", "Text.", ""].join("\r\n");

describeWithDovecot("a derived threadId over HTTP, on Dovecot, which has no THREADID", () => {
  const mail = draftMail();
  afterAll(() => mail.dispose());

  it("lists the conversation that begins with its Message-ID, from all folders", async () => {
    const { me, view } = await mail.world();
    await view.append("INBOX", talk(1));
    await view.append("Sent", talk(2, "In-Reply-To: <t1@x.test>", "References: <t1@x.test>"));
    await view.append("INBOX", talk(3, "In-Reply-To: <t2@x.test>"));
    await view.append("Trash", talk(4, "References: <t1@x.test> <t2@x.test> <t3@x.test>"));
    await view.append("INBOX", talk(5));

    const found: ReadonlyArray<{ readonly subject: string; readonly threadId: string }> = (
      await me.done("GET", "/api/search?subject=talk")
    ).emails;
    const [whole, parentOnly, other] = ["t1@x.test", "t2@x.test", "t5@x.test"].map(derived);
    expect(Object.fromEntries(found.map(({ subject, threadId }) => [subject, threadId]))).toEqual({
      "talk 1": whole,
      "talk 2": whole,
      // The In-Reply-To of this message names only its parent.
      "talk 3": parentOnly,
      "talk 4": whole,
      "talk 5": other,
    });
    const listed = async (threadId: string) =>
      (await me.done("GET", `/api/threads/${threadId}`)).emails.map((one: { readonly subject: string }) => one.subject);
    for (const threadId of [whole!, parentOnly!]) {
      expect((await listed(threadId)).toSorted()).toEqual(["talk 1", "talk 2", "talk 3", "talk 4"]);
    }
    expect(await listed(other!)).toEqual(["talk 5"]);
    expect(await me.call("GET", `/api/threads/${derived("absent@x.test")}`)).toMatchObject({ status: 404 });
  });
});
