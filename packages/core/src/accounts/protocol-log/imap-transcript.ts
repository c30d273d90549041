import { fetchWithoutContents } from "./fetch-line.ts";
import type { StreamLine } from "./line-reader.ts";
import { searchWithoutWords } from "./search-line.ts";
import type { Transcript } from "./Transcript.ts";
import { transcriptOf } from "./transcript-of.ts";

/** Commands whose arguments are names of mailboxes, flags, numbers and data items. */
const PLAIN_COMMANDS = new Set(
  (
    "CAPABILITY NOOP LOGOUT STARTTLS ENABLE ID NAMESPACE SELECT EXAMINE CREATE DELETE RENAME SUBSCRIBE UNSUBSCRIBE LIST " +
    "LSUB XLIST STATUS APPEND IDLE CLOSE UNSELECT EXPUNGE CHECK FETCH STORE COPY MOVE COMPRESS GETQUOTA GETQUOTAROOT"
  ).split(" "),
);
const SEARCHES = new Set(["SEARCH", "SORT", "THREAD"]);
const SIGN_INS = new Set(["LOGIN", "AUTHENTICATE"]);

/** Responses that contain no part of a message. */
const PLAIN_RESPONSE =
  /^\* (\d+ (EXISTS|RECENT|EXPUNGE)|OK|NO|BAD|BYE|PREAUTH|CAPABILITY|LIST|LSUB|XLIST|STATUS|SEARCH|ESEARCH|SORT|THREAD|FLAGS|ENABLED|VANISHED|NAMESPACE|ID|QUOTA|QUOTAROOT)(\s|$)/i;
const FETCH_RESPONSE = /^\* \d+ FETCH /i;
const TAGGED_RESPONSE = /^(\S+) (OK|NO|BAD)(\s|$)/i;

/** Formats the text after a literal. */
type Rest = (text: string) => string;

const asIs: Rest = (text) => text;
const removed: Rest = (text) => (text === "" ? "" : `<${text.length} removed>`);
const hidden: Rest = () => "<removed>";

/**
 * Reads an IMAP conversation without its secrets (spec 10.5). Of a sign-in, keeps only the command and the mechanism;
 * of literals and unknown lines, only the size. Omits message text from FETCH and words from searches.
 */
export const imapTranscript = (): Transcript => {
  const open = new Set<string>();
  let signIn: string | null = null;
  let isGreeted = false;
  let restOfCommand: Rest = removed;
  let restOfResponse: Rest = removed;

  const command = (tag: string, name: string, args: string): string => {
    open.add(tag);
    const [, uid = "", second = "", others = ""] =
      name.toUpperCase() === "UID" ? (/^( )(\S+)(.*)$/s.exec(args) ?? []) : ["", "", name, args];
    const verb = second.toUpperCase();
    const start = uid === "" ? `${tag} ${name}` : `${tag} ${name} ${second}`;
    restOfCommand = PLAIN_COMMANDS.has(verb) ? asIs : SEARCHES.has(verb) ? searchWithoutWords : removed;
    if (!SIGN_INS.has(verb)) return start + restOfCommand(others);
    signIn = tag;
    const mechanism = verb === "AUTHENTICATE" ? /^ [\w-]{1,20}(?=\s|$)/.exec(others)?.[0] : undefined;
    return `${start}${mechanism ?? ""} <removed>`;
  };

  const sentText = ({ text, afterLiteral }: StreamLine): string => {
    if (signIn !== null) return hidden(text);
    if (afterLiteral !== null) return `<${afterLiteral} removed>${restOfCommand(text)}`;
    if (/^DONE$/i.test(text)) return text;
    const [, tag, name, args = ""] = /^([A-Z0-9-]{1,20}) ([A-Z]{2,20})(?=\s|$)(.*)$/is.exec(text) ?? [];
    return tag === undefined || name === undefined ? removed(text) : command(tag, name, args);
  };

  const receivedText = ({ text, afterLiteral }: StreamLine): string => {
    // The greeting cannot repeat a secret, because nothing was sent before it.
    if (!isGreeted) {
      isGreeted = true;
      return text;
    }
    if (afterLiteral !== null) return `<${afterLiteral} removed>${restOfResponse(text)}`;
    if (text.startsWith("+")) return signIn === null ? text : "+ <removed>";
    const tag = TAGGED_RESPONSE.exec(text)?.[1];
    if (tag !== undefined && open.delete(tag)) {
      if (tag === signIn) signIn = null;
      return text;
    }
    const fetched = FETCH_RESPONSE.exec(text)?.[0];
    restOfResponse = fetched !== undefined ? fetchWithoutContents : PLAIN_RESPONSE.test(text) ? asIs : removed;
    return fetched === undefined ? restOfResponse(text) : fetched + fetchWithoutContents(text.slice(fetched.length));
  };

  return transcriptOf(true, sentText, receivedText);
};
