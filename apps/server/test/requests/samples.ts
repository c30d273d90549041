import { IN_A_WEEK, type LiveWorld } from "./live-world.ts";
import type { JsonSchema } from "./operations.ts";

/** Values that are meaningful to the service, by field name. */
const fitting = (world: LiveWorld, path: string): Readonly<Record<string, () => unknown>> => ({
  email: () => (path === "/api/accounts" ? world.other : world.email),
  redirectUrl: () => "https://app.example/connected",
  paused: () => false,
  tags: () => ["some"],
  tag: () => "some",
  password: () => world.password,
  to: () => {
    if (path.startsWith("/api/keys")) return ["@x.test", "thread"];
    return path === "/api/send" || path.startsWith("/api/drafts") ? world.email : "someone";
  },
  from: () => (path === "/api/send" || path.startsWith("/api/drafts") ? world.email : "someone"),
  address: world.alias,
  // An identity that a user adds is not verified, so it cannot be the default.
  isDefault: () => false,
  cc: () =>
    path === "/api/send" || path.startsWith("/api/drafts")
      ? [world.email, { name: "Cc, Jr.", address: world.email }]
      : "someone",
  bcc: () => ({ name: "", address: world.email }),
  replyTo: () => (path.startsWith("/api/identities") ? world.email : `"Some, One" <${world.email}>`),
  inReplyTo: () => "<one@x.test>",
  references: () => ["<one@x.test>", "two@x.test"],
  replyToMessageId: world.message,
  forwardOf: world.message,
  headers: () => ({ "X-Made": "yes" }),
  sendAt: IN_A_WEEK,
  attachments: () => [{ ...world.upload, contentId: "part@x" }],
  // The URL of an endpoint, or of leaving a list.
  url: () => (path === "/api/send" || path.startsWith("/api/drafts") ? "https://news.example/leave/1" : world.hookUrl),
  events: () => ["email.received", "email.sent"],
  event: () => "email.sent",
  overlap: () => "1h",
  since: () => (path.endsWith("/replay") ? new Date(Date.now() - 3_600_000).toISOString() : "2024-02-29"),
  until: () => new Date(Date.now() - 1_000).toISOString(),
  before: () => "2030-01-01",
  name: world.name,
  parentId: () => null,
  folder: () => (path === "/api/messages/batch" ? world.folder : "INBOX"),
  folderId: () => world.folder,
  moveTo: () => world.folder,
  ids: () => [world.message()],
  cursor: () => world.cursorOf(path),
  range: () => "bytes=0-3",
  accounts: () => ["*@x.test", "tag:some"],
  networks: () => ["127.0.0.0/8", "2001:db8::1"],
  expiresAt: IN_A_WEEK,
  expiresAfter: () => "6h",
  colour: () => "#0c5c4f",
  logo: () => null,
  account: () => world.email,
  notify: () => world.email,
  "postern-account": () => world.email,
  after: () => world.feedPosition,
  label: () => "Some",
  addLabels: () => ["Some"],
  removeLabels: () => ["Some"],
  contains: () => "some",
  folders: () => ["inbox"],
  timeout: () => 0,
  types: () => "email.received,email.sent",
  "last-event-id": () => world.eventId,
  "idempotency-key": world.name,
  // A save of a draft must name a version; this is the version of a new draft.
  "if-match": () => (path.startsWith("/api/drafts") ? "1" : "*"),
});

/** Members that exclude each other, and members that require another. */
const EXCLUDES: Readonly<Record<string, string>> = {
  query: "ids",
  q: "text",
  folder: "folderId",
  folderId: "folder",
  delete: "change",
  moveTo: "permanent",
  forwardOf: "replyToMessageId",
};
const NEEDS: Readonly<Record<string, string>> = { trackOpens: "html", cursor: "folder", scope: "text" };

/** Members that a deployment with one mail server refuses. */
const REFUSED: Readonly<Record<string, ReadonlyArray<string>>> = {
  "/api/accounts": ["imap", "smtp", "grant"],
  "/api/accounts/connect": ["provider"],
  "/api/accounts/{id}": ["imap", "smtp"],
};

/** Optional members and headers of which one is required. */
const ONE_OF: Readonly<Record<string, ReadonlyArray<string>>> = {
  "/api/accounts": ["password"],
  "/api/send": ["to", "subject", "text"],
  "/api/messages/batch": ["ids", "change"],
  "/api/admin/outbox/hold": ["application"],
  "/api/admin/outbox/release": ["application"],
  "/api/admin/outbox/cancel": ["application"],
  "/api/messages/batch query": ["folder"],
  "/api/messages/batch change": ["unread"],
  "/api/messages/wait": ["timeout"],
  "/api/messages/{id}": ["unread"],
  "/api/drafts/{id}": ["if-match"],
  "/api/settings/folders/{id}": ["name"],
};

/** Returns a value of a schema that is valid in a request to a path. */
export const sample = (world: LiveWorld, path: string, name: string, schema: JsonSchema): unknown => {
  const fit = fitting(world, path)[name];
  if (fit !== undefined) return fit();
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf !== undefined) return sample(world, path, name, schema.anyOf[0]!);
  if (schema.type === "boolean") return true;
  if (schema.type === "integer" || schema.type === "number") return 3;
  if (schema.type === "array") return [sample(world, path, name, schema.items ?? {})];
  if (schema.properties !== undefined) return members(world, `${path} ${name}`.trim(), schema)[0];
  return `some ${name}`;
};

/** Returns bodies of a schema: with required members only, with each optional member, and with all. */
export const members = (
  world: LiveWorld,
  path: string,
  { properties = {}, required = [] }: JsonSchema,
): ReadonlyArray<Record<string, unknown>> => {
  const made = (name: string) => sample(world, path.split(" ")[0]!, name, properties[name]!);
  const base = [...required, ...(ONE_OF[path] ?? []).filter((name) => name in properties)];
  const withThese = (names: ReadonlyArray<string>) =>
    Object.fromEntries([...new Set([...base, ...names])].map((name) => [name, made(name)]));
  const optional = Object.keys(properties).filter((name) => !base.includes(name) && !REFUSED[path]?.includes(name));
  const single = optional.flatMap((name): ReadonlyArray<Record<string, unknown>> => {
    const body = withThese([NEEDS[name] ?? name, name].filter((one) => one in properties));
    delete body[EXCLUDES[name] ?? ""];
    const inner = properties[name]!;
    return inner.properties === undefined
      ? [body]
      : members(world, `${path} ${name}`, inner).map((value) => ({ ...body, [name]: value }));
  });
  const all = withThese(optional);
  for (const name of optional) delete all[EXCLUDES[name] ?? ""];
  return [withThese([]), ...single, ...(optional.length > 1 ? [all] : [])];
};
