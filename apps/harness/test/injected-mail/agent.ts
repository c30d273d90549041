import { Effect } from "effect";
import { call } from "../call.ts";
import { callTool } from "../mcp-world.ts";
import { ANN, type Command, commandsIn, EVE, HOOK, OTHER, OWNER } from "./commands.ts";
import type { OpenMailbox } from "./mailbox.ts";

interface Found {
  readonly id: string;
  readonly version: string;
  readonly messages: ReadonlyArray<{ readonly id: string; readonly from: string }>;
  readonly files?: ReadonlyArray<{ readonly attachmentId: string }>;
}

/** An agent that obeys every command in the results of its tools, by its tools and by the API. */
export const startAgent = Effect.fnUntraced(function* ({ world, key }: OpenMailbox) {
  const heard: Array<string> = [];
  const swaps: Array<{ readonly draftId: string; readonly version: string; readonly to: string }> = [];
  let drafts = 0;
  let obeyed = 0;

  const use = Effect.fnUntraced(function* (name: string, given: object) {
    const { result, error } = yield* callTool(world, key, name, { account: OWNER, ...given });
    heard.push(JSON.stringify(result ?? error));
    return { found: result?.structuredContent as Found | undefined, text: JSON.stringify(result ?? error) };
  });
  const ask = Effect.fnUntraced(function* (method: string, path: string, json?: unknown, version?: string) {
    const headers = { "postern-account": OWNER, ...(version === undefined ? {} : { "if-match": version }) };
    const { body } = yield* call(world, method, path, { token: key, headers, json });
    heard.push(JSON.stringify(body));
    return body;
  });
  const send = (body: object) =>
    ask("POST", "/api/send", { subject: `agent ${++drafts}`, text: `the passwords ${drafts}`, ...body });
  const draft = Effect.fnUntraced(function* (given: object) {
    const subject = `agent ${++drafts}`;
    const { found } = yield* use("write_draft", { subject, text: `the passwords ${drafts}`, ...given });
    if (found?.version === undefined) return undefined;
    yield* use("send_draft", { draftId: found.id, version: found.version });
    yield* ask("POST", `/api/drafts/${found.id}/send`, undefined, found.version);
    return found;
  });
  const find = (given: object, from: string) =>
    Effect.map(
      use("find_messages", given),
      ({ found }) => found?.messages.find((one) => one.from === from)?.id ?? "none",
    );
  const all = Effect.map(use("find_messages", { folder: "inbox", limit: 25 }), ({ found }) =>
    (found?.messages ?? []).map(({ id }) => id),
  );

  const forward = Effect.fnUntraced(function* (to: string) {
    const made = yield* draft({ kind: "forward", messageId: vault, to: [to] });
    yield* send({ forwardOf: vault, to });
    const { data } = yield* ask("GET", `/api/drafts/${made?.id ?? "none"}`);
    const files = (data?.attachments ?? []).map(({ uploadId }: { readonly uploadId: string }) => ({ uploadId }));
    if (files.length > 0) yield* send({ to, attachments: files });
  });
  const answer = Effect.fnUntraced(function* (id: string, to?: string) {
    for (const kind of ["reply", "reply_all"]) {
      yield* draft({ kind, messageId: id, ...(to === undefined ? {} : { cc: [to] }) });
    }
    yield* send({ replyToMessageId: id, ...(to === undefined ? { replyAll: true } : { cc: to }) });
    yield* send({ replyToMessageId: id, to: to ?? EVE });
  });
  const file = Effect.fnUntraced(function* (id: string) {
    const { folders = [] } = yield* ask("GET", "/api/folders");
    const sent = folders.find(({ role }: { readonly role: string }) => role === "sent")?.id ?? "sent";
    for (const moveTo of ["sent", "Sent", "drafts"]) yield* use("organize", { ids: [id], moveTo });
    yield* ask("PATCH", `/api/messages/${id}`, { folderId: sent });
    yield* ask("POST", "/api/messages/batch", { ids: [id], change: { folderId: sent } });
    yield* ask("POST", "/api/settings/folders", { name: "Sent Items" });
    yield* answer(id);
  });
  const destroy = Effect.fnUntraced(function* (id: string) {
    const ids = [...(yield* all), id];
    yield* use("organize", { ids, trash: true });
    for (const one of ids.slice(-3)) yield* ask("DELETE", `/api/messages/${one}?permanent=true`);
    yield* ask("POST", "/api/messages/batch", { ids, delete: "permanent" });
    yield* ask("POST", "/api/messages/batch", { query: { folder: "trash" }, delete: "permanent" });
    for (const folder of ["trash", "inbox"]) yield* ask("DELETE", `/api/settings/folders/${folder}?permanent=true`);
    yield* ask("DELETE", "/api/account");
  });
  const pose = Effect.fnUntraced(function* (address: string) {
    yield* ask("POST", "/api/identities", { name: "Owner", address });
    const { data = [] } = yield* ask("GET", "/api/identities");
    for (const { id } of data) yield* ask("PATCH", `/api/identities/${id}`, { replyTo: address, isDefault: true });
    yield* send({ from: address, to: ANN });
    const waiting = (yield* ask("GET", "/api/approvals?state=pending")).data ?? [];
    for (const { id, version } of waiting) yield* ask("POST", `/api/approvals/${id}/approve`, undefined, version);
    yield* ask("POST", "/api/keys", { name: "mine", scopes: ["approvals"] });
  });
  const reach = Effect.fnUntraced(function* (account: string) {
    for (const [name, given] of [
      ["mailboxes", {}],
      ["find_messages", { query: "words" }],
    ] as const) {
      yield* use(name, { ...given, account });
    }
    const { body } = yield* call(world, "GET", "/api/inbox", { token: key, headers: { "postern-account": account } });
    heard.push(JSON.stringify(body));
  });

  const obey = (command: Command, id: string): Effect.Effect<unknown> => {
    obeyed++;
    switch (command._tag) {
      case "Send": {
        const { to, how, other, later } = command;
        const copies = { "a copy": { cc: other }, "a hidden copy": { bcc: other }, answers: { replyTo: other } };
        const more = how in copies ? copies[how as keyof typeof copies] : {};
        const sendAt = later ? { sendAt: new Date(world.now() + 3_600_000).toISOString() } : {};
        const tool = how === "a copy" ? { cc: [other] } : {};
        return Effect.andThen(draft({ kind: "new", to: [to], ...tool }), send({ to, ...more, ...sendAt }));
      }
      case "Forward":
        return forward(command.to);
      case "Answer":
        return Effect.andThen(answer(id), ask("POST", `/api/messages/${id}/invitation`, { answer: "accepted" }));
      case "AnswerAnn":
        return Effect.andThen(answer(lunch, command.to), draft({ kind: "reply", messageId: lunch }));
      case "File":
        return file(id);
      case "Swap":
        return Effect.map(draft({ kind: "new", to: [ANN] }), (made) => {
          if (made !== undefined) swaps.push({ draftId: made.id, version: made.version, to: command.to });
        });
      case "Destroy":
        return destroy(id);
      case "Pose":
        return pose(command.to);
      case "Report":
        return ask("POST", "/api/settings/webhooks", { url: HOOK, events: ["email.received"] });
      case "Reach":
        return reach(OTHER);
      case "Read":
        return Effect.flatMap(find({ query: command.subject }, EVE), read);
    }
  };

  /** Reads a message with its files, and does what it says. */
  const read = (id: string): Effect.Effect<unknown> =>
    Effect.gen(function* () {
      const { found, text } = yield* use("read_message", { id, full: true });
      const texts = [text];
      for (const { attachmentId } of found?.files ?? []) {
        texts.push((yield* use("read_attachment", { id, attachmentId })).text);
      }
      const commands = commandsIn(texts.join("\n").replaceAll('\\\\\\"', '"').replaceAll('\\"', '"'));
      for (const command of commands) yield* obey(command, id);
    });

  yield* use("mailboxes", {});
  const vault = yield* find({ folder: "inbox", from: OWNER }, OWNER);
  const lunch = yield* find({ folder: "inbox", from: ANN }, ANN);
  return {
    heard,
    read,
    obeyed: () => obeyed,
    /** Changes the drafts that it has asked to send, while the owner looks at them. */
    change: Effect.suspend(() =>
      Effect.forEach(swaps.splice(0), ({ draftId, version, to }) =>
        Effect.andThen(
          use("write_draft", { draftId, version, to: [to], text: "the passwords" }),
          ask("PUT", `/api/drafts/${draftId}`, { to, subject: "agent", text: "the passwords" }, version),
        ),
      ),
    ),
  };
});
