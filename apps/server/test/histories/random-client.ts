import { setTimeout as sleep } from "node:timers/promises";
import type { Act, Answer, Step } from "./History.ts";
import type { RandomChoice } from "./RandomChoice.ts";

/** The objects that the clients of one history act on, shared by all clients. */
export interface Shared {
  readonly steps: Array<Step>;
  readonly drafts: Map<string, string>;
  readonly messages: Array<string>;
  readonly folders: Map<string, string>;
  readonly scheduled: Map<string, string>;
  readonly keys: Array<string>;
  readonly sessions: Set<string>;
}

/** A request of the API, as the clients send it. */
interface Call {
  readonly method: string;
  readonly path: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const PATIENCE_MILLIS = 20_000;

/** Returns whether the outcome is known; after a 5xx, the request may have had its effect. */
const isKnown = (status: number): boolean => status < 500;

/** Acts at random as one client of the account until `end`, and adds each request to the steps. */
export const runClient = async (
  client: string,
  base: () => string,
  credentials: object,
  shared: Shared,
  random: RandomChoice,
  end: number,
): Promise<void> => {
  let token = "";
  let count = 0;

  const request = async ({ method, path, headers, body, token: other }: Call) => {
    const answer = await fetch(base() + path, {
      method,
      headers: {
        authorization: `Bearer ${other ?? token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MILLIS),
    });
    return { status: answer.status, body: (await answer.json()) as any };
  };

  const record = async (act: Act, call: Call, learn: (body: any) => Omit<Answer, "status"> = () => ({})) => {
    const from = performance.now();
    const told = await request(call).catch(() => undefined);
    const known = told !== undefined && isKnown(told.status);
    const answer = known ? { status: told.status, ...(told.status === 200 ? learn(told.body) : {}) } : undefined;
    shared.steps.push({
      client,
      act,
      from,
      until: answer === undefined ? Infinity : performance.now(),
      ...(answer && { answer }),
    });
    // A process that is down refuses at once. Without a pause, most of the history would be refusals.
    if (answer === undefined) await sleep(500);
    return answer;
  };

  const signIn = async () => {
    const told = await request({ method: "POST", path: "/api/auth/mobile-login", token: "", body: credentials }).catch(
      () => undefined,
    );
    if (told?.status === 200) shared.sessions.add(told.body.token);
    return told?.status === 200 ? (told.body.token as string) : undefined;
  };

  const draftOf = ({ data }: any) => ({ id: data.id, version: String(data.version), text: data.text });
  const name = (kind: string) => `${kind} ${client} ${count++}`;

  const acts: ReadonlyArray<() => Promise<unknown>> = [
    async () => {
      const text = name("draft");
      const told = await record(
        { act: "create draft", text },
        { method: "POST", path: "/api/drafts", body: { subject: text, text } },
        draftOf,
      );
      if (told?.id !== undefined) shared.drafts.set(told.id, told.version!);
    },
    async () => {
      const [id, version] = random.of([...shared.drafts]) ?? [];
      if (id === undefined) return;
      const text = name("text");
      const told = await record(
        { act: "save draft", of: id, version: version!, text },
        {
          method: "PUT",
          path: `/api/drafts/${id}`,
          headers: { "if-match": version! },
          body: { subject: "draft", text },
        },
        draftOf,
      );
      if (told?.status === 200) shared.drafts.set(id, told.version!);
    },
    async () => {
      const [id] = random.of([...shared.drafts]) ?? [];
      if (id === undefined) return;
      const told = await record({ act: "read draft", of: id }, { method: "GET", path: `/api/drafts/${id}` }, draftOf);
      if (told?.status === 200) shared.drafts.set(id, told.version!);
    },
    async () => {
      const [id, version] = (shared.drafts.size > 6 && random.of([...shared.drafts])) || [];
      if (id === undefined) return;
      await record(
        { act: "remove draft", of: id, version: version! },
        { method: "DELETE", path: `/api/drafts/${id}`, headers: { "if-match": version! } },
      );
    },
    async () => {
      const repeated = random.below(2) === 0 ? random.of(shared.keys) : undefined;
      const key = repeated ?? name("send");
      shared.keys.push(key);
      await record(
        { act: "send", key, subject: key, scheduled: false },
        {
          method: "POST",
          path: "/api/send",
          headers: { "idempotency-key": key.replaceAll(" ", "-") },
          body: { to: "ann@y.test", subject: key, text: "x" },
        },
        (body) => ({ id: body.messageId }),
      );
    },
    async () => {
      const subject = name("later");
      const sendAt = new Date(Date.now() + 1_500 + random.below(2_000)).toISOString();
      const told = await record(
        { act: "send", key: subject, subject, scheduled: true },
        { method: "POST", path: "/api/send", body: { to: "ann@y.test", subject, text: "x", sendAt } },
        (body) => ({ id: body.id }),
      );
      if (told?.id !== undefined) shared.scheduled.set(told.id, subject);
    },
    async () => {
      const [id, subject] = random.of([...shared.scheduled]) ?? [];
      if (id === undefined) return;
      shared.scheduled.delete(id);
      await record({ act: "cancel", of: id, subject: subject! }, { method: "DELETE", path: `/api/outbox/${id}` });
    },
    async () => {
      const folder = name("Folder");
      const told = await record(
        { act: "create folder", name: folder },
        { method: "POST", path: "/api/settings/folders", body: { name: folder } },
        ({ data }) => ({ id: data.id }),
      );
      if (told?.id !== undefined) shared.folders.set(told.id, folder);
    },
    async () => {
      const [id, folder] = (shared.folders.size > 4 && random.of([...shared.folders])) || [];
      if (id === undefined) return;
      shared.folders.delete(id);
      await record(
        { act: "remove folder", of: id, name: folder! },
        { method: "DELETE", path: `/api/settings/folders/${id}` },
      );
    },
    () =>
      record({ act: "list folders" }, { method: "GET", path: "/api/settings/folders" }, ({ data }) => ({
        names: data.map((one: { name: string }) => one.name),
      })),
    async () => {
      const id = random.of(shared.messages);
      if (id === undefined) return;
      const flagged = random.below(2) === 0;
      await record(
        { act: "flag", of: id, flagged },
        { method: "PATCH", path: `/api/messages/${id}`, body: { flagged } },
      );
    },
    async () => {
      const id = random.of(shared.messages);
      if (id === undefined) return;
      await record({ act: "read flag", of: id }, { method: "GET", path: `/api/messages/${id}` }, ({ data }) => ({
        flagged: data.flagged,
      }));
    },
    async () => {
      const used = random.of([...shared.sessions]);
      if (used === undefined) return;
      await record({ act: "use session", of: used }, { method: "GET", path: "/api/account", token: used });
    },
    async () => {
      const other = random.below(3) === 0 ? await signIn() : undefined;
      if (other === undefined) return;
      await record({ act: "log out", of: other }, { method: "POST", path: "/api/auth/logout", token: other });
    },
  ];

  while (performance.now() < end) {
    if (token === "") token = (await signIn()) ?? "";
    if (token !== "") await random.of(acts)!();
    await sleep(random.below(60));
  }
};
