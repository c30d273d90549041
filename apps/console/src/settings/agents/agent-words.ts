import type { Grant } from "./agents.ts";

type Policy = Grant["sendPolicy"];

const SCOPES: Readonly<Partial<Record<string, string>>> = {
  "mail:read": "reads mail",
  "mail:organize": "flags, labels and moves messages",
  "mail:delete": "deletes messages for good",
  "mail:draft": "writes drafts",
};

const sentence = (parts: ReadonlyArray<string>): string => {
  const text = new Intl.ListFormat("en", { type: "conjunction" }).format(parts);
  return text === "" ? "" : `${text[0]!.toUpperCase()}${text.slice(1)}.`;
};

/** Returns what an assistant may do beside sending (spec 13.3). */
export const rightsText = (scopes: Grant["scopes"]): string =>
  sentence(scopes.flatMap((scope) => (scope === "mail:send" ? [] : [SCOPES[scope] ?? scope])));

const recipientText = (entry: string): string => {
  if (entry === "thread") return "the people you wrote to in the same conversation";
  return entry.startsWith("@") ? `everyone at ${entry.slice(1)}` : entry;
};

/** Returns what an assistant may send without the owner of the mailbox (spec 13.1). */
export const policyText = ({ to, perDay, approval }: Policy, scopes: Grant["scopes"]): string => {
  const most = perDay === undefined ? "" : ` At most ${perDay} ${perDay === 1 ? "message" : "messages"} in 24 hours.`;
  const canSend = scopes.includes("mail:send");
  if (!canSend && !scopes.includes("mail:draft")) return "Sends nothing.";
  if (!canSend || approval === "always" || (approval === "outside" && to.length === 0)) {
    return `Asks you before it sends anything.${most}`;
  }
  if (to.length === 0) return "Sends nothing: its policy names no recipients.";
  const people = new Intl.ListFormat("en", { type: "conjunction" }).format(to.map(recipientText));
  const others = approval === "outside" ? "Asks you about everything else." : "Everything else is refused.";
  return `Sends to ${people} without asking. ${others}${most}`;
};
