import { listText } from "../../texts/formats.ts";
import { markText, t, type Text } from "../../texts/text.ts";
import type { Grant } from "./agents.ts";

type Policy = Grant["sendPolicy"];

/** The rights, at the beginning of a sentence and within it. */
const SCOPES: Readonly<Partial<Record<string, readonly [first: Text, next: Text]>>> = {
  "mail:read": [markText("Reads mail"), markText("reads mail")],
  "mail:organize": [markText("Flags, labels and moves messages"), markText("flags, labels and moves messages")],
  "mail:delete": [markText("Deletes messages for good"), markText("deletes messages for good")],
  "mail:draft": [markText("Writes drafts"), markText("writes drafts")],
};

/** Returns the rights of an assistant besides sending (spec 13.3). */
export const rightsText = (scopes: Grant["scopes"]): string => {
  const rights = scopes
    .filter((scope) => scope !== "mail:send")
    .map((scope, n) => {
      const texts = SCOPES[scope];
      return texts === undefined ? scope : t(texts[n === 0 ? 0 : 1]);
    });
  return rights.length === 0 ? "" : t("{rights}.", { rights: listText(rights) });
};

const recipientText = (entry: string): string => {
  if (entry === "thread") return t("the people you wrote to in the same conversation");
  return entry.startsWith("@") ? t("everyone at {domain}", { domain: entry.slice(1) }) : entry;
};

/** Returns the rights of an assistant to send without the owner of the mailbox (spec 13.1). */
export const policyText = ({ to, perDay, approval }: Policy, scopes: Grant["scopes"]): string => {
  const most =
    perDay === undefined
      ? ""
      : ` ${t("At most {count, plural, one {# message} other {# messages}} in 24 hours.", { count: perDay })}`;
  const canSend = scopes.includes("mail:send");
  if (!canSend && !scopes.includes("mail:draft")) return t("Sends nothing.");
  if (!canSend || approval === "always" || (approval === "outside" && to.length === 0)) {
    return t("Asks you before it sends anything.") + most;
  }
  if (to.length === 0) return t("Sends nothing: its policy names no recipients.");
  const people = listText(to.map(recipientText));
  const others = t(approval === "outside" ? "Asks you about everything else." : "Everything else is refused.");
  return `${t("Sends to {people} without asking.", { people })} ${others}${most}`;
};
