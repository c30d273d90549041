import type { DamagedResponse, ImapRewrite } from "../network/imap-proxy.ts";
import { withLabels, withoutLabels } from "./gmail-labels.ts";
import type { Quirk } from "./Quirk.ts";
import { announceCapabilities, needs, withoutSyntax } from "./removed-capabilities.ts";

/** The conversation of one connection so far. */
interface Session {
  folder: string;
  /** The unanswered commands by tag. */
  readonly open: Map<string, string>;
}

const listOf = (quirks: ReadonlyArray<Quirk>, kind: "adds" | "removes"): ReadonlyArray<string> =>
  quirks.flatMap((quirk) => (quirk.kind === kind ? quirk.capabilities : []));

const SELECT_COMMAND = /^\S+ (?:SELECT|EXAMINE) (?:"((?:[^"\\]|\\.)*)"|(\S+))/i;

/**
 * Returns the changes of lines that make a server behave like a profile. Each quirk sees the lines that earlier quirks
 * changed.
 */
export const quirkRewrite = (quirks: ReadonlyArray<Quirk>): ImapRewrite => {
  const sessions = new Map<number, Session>();
  const sessionOf = (connection: number): Session => {
    const known = sessions.get(connection);
    if (known !== undefined) return known;
    const made = { folder: "", open: new Map<string, string>() };
    sessions.set(connection, made);
    return made;
  };
  const [added, removed] = [listOf(quirks, "adds"), listOf(quirks, "removes")];
  const threads = new Map<string, Set<number>>();

  const command = (line: string, connection: number): string | { readonly answer: string } => {
    const session = sessionOf(connection);
    const tag = line.split(" ", 1)[0]!;
    const selected = SELECT_COMMAND.exec(line);
    if (selected !== null) session.folder = selected[1] ?? selected[2]!;
    if (needs(line.slice(tag.length + 1), removed)) return { answer: "BAD unknown command or argument" };
    let sent = line;
    for (const quirk of quirks) {
      if (quirk.kind === "refuses" && quirk.command.test(sent)) return { answer: quirk.answer };
      if (quirk.kind === "rewrites command") sent = replaceLine(sent, quirk.command, quirk.to);
      if (quirk.kind === "labels") sent = withoutLabels(sent, session.folder, threads);
    }
    session.open.set(tag, line);
    return sent;
  };

  const response = (line: string, connection: number): string | DamagedResponse => {
    const session = sessionOf(connection);
    const tag = line.split(" ", 1)[0]!;
    const answered = session.open.get(tag);
    session.open.delete(tag);
    let lines = announceCapabilities(withoutSyntax(line, removed), added, removed);
    let damage: Omit<DamagedResponse, "lines"> = {};
    for (const quirk of quirks) {
      if (quirk.kind === "rewrites response") lines = replaceLine(lines, quirk.response, quirk.to);
      if (quirk.kind === "labels") lines = withLabels(lines, session.folder, threads);
      if (quirk.kind === "inserts" && answered !== undefined && quirk.command.test(answered) && / OK/i.test(line)) {
        lines = quirk.lines + lines;
      }
      if (quirk.kind === "delays" && quirk.response.test(line)) damage = { ...damage, lateBy: quirk.millis };
      if (quirk.kind === "cuts" && quirk.response.test(line)) damage = { ...damage, cutAt: quirk.bytes };
    }
    return Object.keys(damage).length === 0 ? lines : { lines, ...damage };
  };

  const splits = quirks.find((quirk) => quirk.kind === "splits");
  return { command, response, ...(splits === undefined ? {} : { pieces: splits.bytes }) };
};

const replaceLine = (
  line: string,
  wanted: RegExp,
  to: string | ((...matched: ReadonlyArray<string>) => string),
): string =>
  typeof to === "string"
    ? line.replace(wanted, to)
    : line.replace(wanted, (...matched) => to(...(matched as Array<string>)));
