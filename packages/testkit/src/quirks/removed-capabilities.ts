/**
 * The commands that need a capability, without their tag, and the parts of responses that only this capability causes.
 */
const SYNTAX: Readonly<Record<string, { readonly command?: RegExp; readonly response?: RegExp }>> = {
  CONDSTORE: {
    command: /\bCHANGEDSINCE\b|\bUNCHANGEDSINCE\b|\bHIGHESTMODSEQ\b|\(CONDSTORE\)|\bMODSEQ\b/i,
    response: /^\* OK \[(?:HIGHESTMODSEQ \d+|NOMODSEQ)\].*\r\n$/i,
  },
  QRESYNC: { command: /\bQRESYNC\b|\bVANISHED\b/i },
  ENABLE: { command: /^ENABLE\b/i },
  ESEARCH: { command: /\bSEARCH RETURN\b/i },
  IDLE: { command: /^IDLE\b/i },
  ID: { command: /^ID \(/i },
  "LIST-EXTENDED": { command: /^LIST \(|^LIST .* RETURN \(/i },
  "LIST-STATUS": { command: /^LIST .* RETURN \(.*STATUS \(/i },
  MOVE: { command: /^(?:UID )?MOVE\b/i },
  NAMESPACE: { command: /^NAMESPACE\b/i },
  NOTIFY: { command: /^NOTIFY\b/i },
  "SPECIAL-USE": { response: /(?<=^\* LIST \([^)]*)\\(?:Sent|Trash|Drafts|Junk|Archive|All|Flagged) ?/gi },
  UIDPLUS: { command: /^UID EXPUNGE\b/i, response: /\[(?:COPYUID|APPENDUID) [^\]]*\] ?/i },
  UNSELECT: { command: /^UNSELECT\b/i },
};

/** Returns whether a command, without its tag, needs one of these capabilities. */
export const needs = (command: string, capabilities: ReadonlyArray<string>): boolean =>
  capabilities.some((name) => SYNTAX[name]?.command?.test(command) === true);

/** Returns a response without the parts that only these capabilities cause. */
export const withoutSyntax = (response: string, capabilities: ReadonlyArray<string>): string =>
  capabilities.reduce((line, name) => line.replace(SYNTAX[name]?.response ?? /(?!)/, ""), response);

const ANNOUNCED = /^(?:\* CAPABILITY |(?:\*|\S+) OK \[CAPABILITY )/i;

/** Returns a response with other capabilities, if it announces any. */
export const announceCapabilities = (
  response: string,
  added: ReadonlyArray<string>,
  removed: ReadonlyArray<string>,
): string => {
  if (!ANNOUNCED.test(response)) return response;
  const change = (_: string, names: string) =>
    `CAPABILITY ${[...names.split(" ").filter((name) => !removed.includes(name)), ...added].join(" ")}`;
  return response.replace(/CAPABILITY ([^\]\r]*)/i, change);
};
