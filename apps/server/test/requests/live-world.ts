import type { Operation } from "./operations.ts";

/** The address of a second account of the mail server, with the same password. */
export const otherEmail = (email: string): string => `other-${email}`;

/** The admin key of the service (`ADMIN_KEY`). */
export const ADMIN_KEY = "admin-key-of-the-tests-0123456789abcdef";

/** A recipient that the SMTP server refuses for now. */
export const LATER = "later@x.test";

/** Data for requests to a running service: its address, an account and a webhook receiver. */
export interface LiveService {
  readonly base: string;
  readonly email: string;
  readonly password: string;
  readonly hookUrl: string;
  /** The prefix of its names, if several worlds share an account. */
  readonly label?: string;
}

/** Creates the objects that requests name, with their ids, and valid credentials. */
export type LiveWorld = Awaited<ReturnType<typeof liveWorld>>;

export const liveWorld = async ({ base, email, password, hookUrl, label = "made" }: LiveService) => {
  const ask = async (method: string, path: string, token: string, body?: unknown): Promise<any> => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const signIn = (): Promise<{ readonly token: string; readonly refreshToken: string }> =>
    ask("POST", "/api/auth/mobile-login", "", { email, password });

  const { token } = await signIn();
  const page = await ask("GET", "/api/inbox?limit=200", token);
  const messages: ReadonlyArray<string> = page.emails.map(({ id }: { readonly id: string }) => id);
  const [{ id: oneWithFile }] = page.emails.filter(({ hasAttachments }: any) => hasAttachments);
  const attachment = (await ask("GET", `/api/messages/${oneWithFile}`, token)).data.attachments[0].id as string;

  let [made, used] = [0, 0];
  const message = (): string => messages[++used % messages.length]!;
  const name = (): string => `${label} ${++made}`;
  const folder = async (): Promise<string> =>
    (await ask("POST", "/api/settings/folders", token, { name: name() })).data.id;
  const endpoint = async (events = ["email.sent"]): Promise<string> =>
    (await ask("POST", "/api/settings/webhooks", token, { url: hookUrl, events })).data.id;
  const upload = async () => {
    const form = new FormData();
    form.append("file", new Blob(["a file"], { type: "text/plain" }), "file.txt");
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${base}/api/uploads`, { method: "POST", headers, body: form });
    return ((await response.json()) as { readonly data: { readonly id: string } }).data;
  };
  const scheduled = async (): Promise<string> =>
    (await ask("POST", "/api/send", token, { to: email, subject: "later", text: "x", sendAt: IN_A_WEEK() })).id;
  const queued = async (): Promise<string> =>
    (await ask("POST", "/api/send", token, { to: LATER, subject: "queued", text: "x" })).id;
  const draft = async (): Promise<string> =>
    (await ask("POST", "/api/drafts", token, { to: email, subject: name(), text: "x" })).data.id;
  const alias = (): string => `${name().replaceAll(" ", "-")}@x.test`;
  const identity = async (): Promise<string> =>
    (await ask("POST", "/api/identities", token, { name: name(), address: alias() })).data.id;
  const serviceKey = async (): Promise<{ readonly id: string; readonly application: string }> =>
    (await ask("POST", "/api/keys", ADMIN_KEY, { name: name(), application: name(), scopes: ["mail:read"] })).data;
  /** Schedules a message with a key, which is then deleted. */
  const held = async (): Promise<string> => {
    const { id, key } = (await ask("POST", "/api/keys", ADMIN_KEY, { name: name(), scopes: ["mail:send"] })).data;
    const answer = await fetch(`${base}/api/send`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "postern-account": email, "content-type": "application/json" },
      body: JSON.stringify({ to: email, subject: "held", text: "x", sendAt: IN_A_WEEK() }),
    });
    await ask("DELETE", `/api/keys/${id}`, ADMIN_KEY);
    return ((await answer.json()) as { readonly id: string }).id;
  };
  /** Adds or deletes the account that operations on accounts name, whether or not it exists. */
  const other = otherEmail(email);
  const setOther = (exists: boolean) =>
    fetch(`${base}/api/accounts${exists ? "" : `/${other}`}`, {
      method: exists ? "POST" : "DELETE",
      headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" },
      ...(exists ? { body: JSON.stringify({ email: other, password }) } : {}),
    });
  /** Makes an application with an endpoint, which gets the event that the other account was added. */
  const applicationWithDelivery = async () => {
    const key = { name: name(), application: name(), scopes: ["events"] };
    const { key: text, application } = (await ask("POST", "/api/keys", ADMIN_KEY, key)).data;
    const wanted = { url: hookUrl, events: ["account.added"] };
    const { id: endpointId } = (await ask("POST", "/api/settings/webhooks", text, wanted)).data;
    await setOther(false);
    await setOther(true);
    const path = `/api/applications/${encodeURIComponent(application)}/webhooks/${endpointId}/deliveries`;
    for (let tries = 0; tries < 200; tries++) {
      const [first] = (await ask("GET", path, ADMIN_KEY)).data;
      if (first !== undefined) return { application, endpointId, deliveryId: first.id as string };
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error("the application was told nothing");
  };
  let toldOnce: ReturnType<typeof applicationWithDelivery> | undefined;
  const session = async (): Promise<string> => (await ask("GET", "/api/auth/session", (await signIn()).token)).data.id;

  const told = await endpoint();
  const stay = { folder: await folder(), endpoint: await endpoint(), upload: await upload() };
  await ask("POST", "/api/send", token, { to: email, subject: "for its event", text: "x" });
  const deliveries = async (): Promise<ReadonlyArray<any>> =>
    (await ask("GET", `/api/settings/webhooks/${told}/deliveries`, token)).data;
  for (let tries = 0; tries < 200 && (await deliveries())[0]?.state !== "succeeded"; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  const [delivery] = await deliveries();

  /** Returns the path parameters of an operation; creates the object first if the operation destroys it. */
  const pathOf = async ({ name, path }: Operation): Promise<string> => {
    if (path.startsWith("/api/accounts")) await setOther(name !== "POST /api/accounts");
    const id = await (async () => {
      if (path.includes("/accounts/")) return other;
      if (path.includes("/sessions/")) return session();
      if (path.includes("/drafts/")) return draft();
      if (path.includes("/uploads/")) return (await upload()).id;
      if (path.includes("/identities/")) return identity();
      if (path.includes("/keys/")) return (await serviceKey()).id;
      if (path.endsWith("/release")) return held();
      if (path.endsWith("/send-now")) return queued();
      if (path.includes("/outbox/")) return scheduled();
      if (path.includes("/deliveries/")) return told;
      if (path.includes("/settings/folders/")) return name.startsWith("DELETE") ? folder() : stay.folder;
      if (path.includes("/settings/webhooks/")) {
        return name.startsWith("DELETE") || path.endsWith("/disable") ? endpoint() : stay.endpoint;
      }
      if (path.includes("/attachments/")) return oneWithFile as string;
      return message();
    })();
    if (path.includes("/webhooks") && path.includes("/applications/")) {
      const { application, endpointId, deliveryId } = await (path.endsWith("/body")
        ? // The event of an earlier account was erased with the account.
          applicationWithDelivery()
        : (toldOnce ??= applicationWithDelivery()));
      return path
        .replace("{name}", encodeURIComponent(application))
        .replace("{id}", endpointId)
        .replace("{deliveryId}", deliveryId);
    }
    if (path.includes("/applications/")) {
      return path.replace("{name}", encodeURIComponent((await serviceKey()).application));
    }
    return path.replace("{id}", id).replace("{attachmentId}", attachment).replace("{deliveryId}", delivery.id);
  };

  const found = await ask("GET", "/api/search?folder=INBOX&limit=1", token);
  const feed = await ask("GET", "/api/changes", token);
  const [listed] = (await ask("GET", "/api/accounts?limit=1", ADMIN_KEY)).data;
  const cursorOf = (path: string): string => {
    if (path === "/api/search") return found.nextCursor;
    if (path === "/api/inbox" || path === "/api/messages") return page.nextCursor;
    if (path === "/api/accounts") return listed.id;
    return path.endsWith("/deliveries") ? delivery.id : "0.a";
  };

  return {
    base,
    email,
    password,
    hookUrl,
    token,
    adminKey: ADMIN_KEY,
    other,
    signIn,
    name,
    alias,
    pathOf,
    cursorOf,
    folder: stay.folder,
    upload: stay.upload,
    eventId: delivery.eventId as string,
    feedPosition: feed.next as string,
    message,
  };
};

export const IN_A_WEEK = (): string => new Date(Date.now() + 7 * 86_400_000).toISOString();
