import { assert, it } from "@effect/vitest";
import { deriveThreadId } from "../src/mail/index.ts";
import { rootOfThread } from "../src/mail/neighbours.ts";
import fc from "fast-check";

const idText = fc.stringMatching(/^[!#-;=?-[\]-~]{1,60}@[a-z0-9.]{1,40}$/);
const messageId = fc.oneof(idText, fc.stringMatching(/^[äöü漢a-z0-9]{1,20}@example\.org$/)).map((text) => `<${text}>`);

it("all answers have the threadId of the message that they answer, however long the conversation [S5.2-4]", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(messageId, { minLength: 1, maxLength: 20 }),
      fc.constantFrom(" ", "\r\n\t", ""),
      (ids, fold) => {
        const threadIds = ids.map((id, n) =>
          deriveThreadId({ messageId: id, inReplyTo: ids[n - 1] ?? "", references: ids.slice(0, n).join(fold) }),
        );
        assert.deepStrictEqual(new Set(threadIds).size, 1);
        assert.strictEqual(rootOfThread(threadIds[0]!), ids[0]);
      },
    ),
  );
});

it("messages that begin different conversations have different threadIds, fit for a path", () => {
  fc.assert(
    fc.property(messageId, messageId, (one, other) => {
      fc.pre(one !== other);
      const [a, b] = [one, other].map((id) => deriveThreadId({ messageId: id, inReplyTo: "", references: "" }));
      assert.notStrictEqual(a, b);
      assert.match(a!, /^t_[A-Za-z0-9_-]{1,253}$/);
    }),
  );
});

it.each([
  ["In-Reply-To, if there is no References", "<a@x>", "Message of Monday <b@x>", "", "<b@x>"],
  ["the first of References, although In-Reply-To names another", "<a@x>", "<c@x>", "<b@x> <c@x>", "<b@x>"],
  ["its own Message-ID, where References has none", "<a@x>", "", "garbage", "<a@x>"],
])("a threadId stands for %s [S5.2-4]", (_, own, inReplyTo, references, root) => {
  assert.strictEqual(rootOfThread(deriveThreadId({ messageId: own, inReplyTo, references })!), root);
});

it.each([
  ["no Message-ID", null],
  ["one without brackets", "a@x"],
  ["one that is too long", `<${"a".repeat(200)}@x>`],
  ["one that is too long once it is encoded", `<${"漢".repeat(100)}@x>`],
])("a message with %s has no threadId [S5.2-5]", (_, own) => {
  assert.isNull(deriveThreadId({ messageId: own, inReplyTo: "", references: "" }));
});

it("a Message-ID of up to 189 bytes has a threadId [S5.2-5]", () => {
  const idOf = (wide: number) => `<${"é".repeat(wide)}${"a".repeat(180 - wide)}>`;
  const derive = (messageId: string) => deriveThreadId({ messageId, inReplyTo: "", references: "" });
  assert.strictEqual(derive(idOf(9))?.length, 254);
  assert.strictEqual(rootOfThread(derive(idOf(9))!), idOf(9));
  assert.isNull(derive(idOf(10)));
});

it("ids of mail servers, and any text, stand for no Message-ID or for one", () => {
  for (const id of ["", "t_", "T123", "1234567890", "t_!!", "t_YSBi", "t_6h2kq4vd0smx"])
    assert.isNull(rootOfThread(id), id);
  fc.assert(
    fc.property(fc.string(), (text) => {
      const root = rootOfThread(`t_${text}`);
      assert.isTrue(root === null || /^<[^<>\s]+>$/.test(root));
    }),
  );
});
