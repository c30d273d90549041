import type { Email } from "../emails/email.ts";

/** A conversation in a list: its fetched messages, latest first. */
export interface ListedConversation {
  readonly emails: ReadonlyArray<Email>;
  /** Whether each message has its own row, below the row of the latest message. */
  readonly isOpen: boolean;
}

/** The rows of a list, in which a conversation has one row until the user opens it. */
export interface GroupedRows {
  readonly rows: ReadonlyArray<Email | undefined>;
  /** The position of each row in the list, latest first and ungrouped. */
  readonly positions: ReadonlyArray<number>;
  /** The conversations with several messages, by the id of the message whose row represents the conversation. */
  readonly conversations: ReadonlyMap<string, ListedConversation>;
  /** For each message without its own top-level row, the row of its conversation, by the id of the message. */
  readonly heads: ReadonlyMap<string, Email>;
}

/** Returns rows without groups: each message has its own row. */
export const rowsWithoutGroups = (rows: ReadonlyArray<Email | undefined>): GroupedRows => ({
  rows,
  positions: rows.map((_, n) => n),
  conversations: new Map(),
  heads: new Map(),
});

/**
 * Groups the fetched messages by `threadId`; each conversation takes the position of its latest message. A conversation
 * whose threadId is in `open` has a row for each message, any other has one row.
 */
export const groupedRows = (all: ReadonlyArray<Email | undefined>, open: ReadonlySet<string>): GroupedRows => {
  const byThread = new Map<string, Array<readonly [Email, number]>>();
  for (const [n, email] of all.entries()) {
    if (email?.threadId == null) continue;
    const found = byThread.get(email.threadId);
    if (found === undefined) byThread.set(email.threadId, [[email, n]]);
    else found.push([email, n]);
  }
  const rows: Array<Email | undefined> = [];
  const positions: Array<number> = [];
  const conversations = new Map<string, ListedConversation>();
  const heads = new Map<string, Email>();
  const add = (email: Email | undefined, position: number): void => {
    rows.push(email);
    positions.push(position);
  };
  for (const [n, email] of all.entries()) {
    const members = email?.threadId == null ? [] : byThread.get(email.threadId)!;
    if (email === undefined || members.length < 2) {
      add(email, n);
      continue;
    }
    const [head] = members[0]!;
    if (head !== email) continue;
    const isOpen = open.has(head.threadId!);
    conversations.set(head.id, { emails: members.map(([member]) => member), isOpen });
    add(head, n);
    for (const [member, position] of members.slice(1)) {
      heads.set(member.id, head);
      if (isOpen) add(member, position);
    }
  }
  return { rows, positions, conversations, heads };
};

/** Returns the rows in reverse order. The rows of an open conversation stay below its latest message, latest first. */
export const reverseRows = (grouped: GroupedRows): GroupedRows => {
  const { rows, heads } = grouped;
  const order: Array<number> = [];
  for (let end = rows.length, n = end - 1; n >= 0; n--) {
    const row = rows[n];
    if (row !== undefined && heads.has(row.id)) continue;
    for (let member = n; member < end; member++) order.push(member);
    end = n;
  }
  return {
    ...grouped,
    rows: order.map((n) => rows[n]),
    positions: order.map((n) => grouped.positions[n]!),
  };
};
