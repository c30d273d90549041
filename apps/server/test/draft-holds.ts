import type { Moment } from "./striking-proxy.ts";

/** The step of a draft's life during which the process is killed. */
export type DraftStep = "create" | "save" | "send";

/** A moment at which the process is killed, in its conversation with the IMAP server, the SMTP server or the database. */
export interface Hold {
  readonly step: DraftStep;
  readonly name: string;
  readonly at:
    | { readonly server: "imap" | "smtp"; readonly moment: Moment }
    | { readonly server: "database"; readonly when: "before" | "after"; readonly wrote: string };
}

const says = (server: "imap" | "smtp", text: RegExp): Hold["at"] => ({
  server,
  moment: { from: "client", text, isForwarded: false },
});

const answers = (server: "imap" | "smtp", text: RegExp, isForwarded = false): Hold["at"] => ({
  server,
  moment: { from: "server", text, isForwarded },
});

const commit = (when: "before" | "after", wrote: string): Hold["at"] => ({ server: "database", when, wrote });

const FLAGGED = /UID STORE \S+ \+FLAGS(?:\.SILENT)? \(\\Deleted\)/i;
const EXPUNGED = /UID EXPUNGE/i;

/** The moments that exist with every database. */
export const HOLDS: ReadonlyArray<Hold> = [
  { step: "create", name: "before the first copy", at: says("imap", /APPEND "?Drafts/i) },
  { step: "create", name: "after the first copy", at: answers("imap", /APPENDUID/i) },
  { step: "create", name: "after the answer to the first copy", at: answers("imap", /APPENDUID/i, true) },
  { step: "save", name: "before the copy", at: says("imap", /APPEND "?Drafts/i) },
  { step: "save", name: "after the copy", at: answers("imap", /APPENDUID/i) },
  { step: "save", name: "after the answer to the copy", at: answers("imap", /APPENDUID/i, true) },
  { step: "save", name: "before the removal of the earlier copy", at: says("imap", FLAGGED) },
  { step: "save", name: "between the flag and the removal", at: says("imap", EXPUNGED) },
  { step: "save", name: "after the removal of the earlier copy", at: answers("imap", /^\S+ OK.*expunge/im) },
  { step: "send", name: "before the journal", at: answers("imap", /^\S+ OK.*(?:search|fetch) completed/im) },
  { step: "send", name: "after the journal", at: says("smtp", /^MAIL FROM/im) },
  { step: "send", name: "before DATA", at: says("smtp", /^DATA\r\n/m) },
  { step: "send", name: "before the dot", at: says("smtp", /\r\n\.\r\n$/) },
  { step: "send", name: "after the dot", at: answers("smtp", /^250 OK id=/m) },
  { step: "send", name: "after the answer to the dot", at: answers("smtp", /^250 OK id=/m, true) },
  { step: "send", name: "before the copy in Sent", at: says("imap", /APPEND "?Sent/i) },
  { step: "send", name: "after the copy in Sent", at: answers("imap", /APPENDUID/i) },
  { step: "send", name: "before the removal of the draft", at: says("imap", FLAGGED) },
  { step: "send", name: "between the flag and the removal of the draft", at: says("imap", EXPUNGED) },
  { step: "send", name: "after the removal of the draft", at: answers("imap", /^\S+ OK.*expunge/im) },
];

/** The moments at a COMMIT, which a proxy of PostgreSQL sees. */
export const COMMIT_HOLDS: ReadonlyArray<Hold> = [
  { step: "create", name: "before the commit of the row", at: commit("before", 'insert into "draft"') },
  { step: "create", name: "after the commit of the row", at: commit("after", 'insert into "draft"') },
  { step: "save", name: "before the commit of the save's token", at: commit("before", 'update "draft"') },
  { step: "save", name: "after the commit of the save's token", at: commit("after", 'update "draft"') },
  { step: "save", name: "before the commit of the save", at: commit("before", 'delete from "upload_pin"') },
  { step: "save", name: "after the commit of the save", at: commit("after", 'delete from "upload_pin"') },
  { step: "send", name: "before the commit of the journal", at: commit("before", 'insert into "outgoing') },
  { step: "send", name: "after the commit of the journal", at: commit("after", 'insert into "outgoing') },
];
