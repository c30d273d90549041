import { Option } from "effect";
import type { MailboxCursor } from "../mail/index.ts";
import type { FollowedMailbox } from "./ports/FollowedMailboxes.ts";

export const isSameCursor = (one: MailboxCursor, other: MailboxCursor): boolean =>
  one.uidValidity === other.uidValidity && one.uidNext === other.uidNext && one.highestModSeq === other.highestModSeq;

/** Returns whether two states of a mailbox are equal. */
export const isSameState = (one: Option.Option<FollowedMailbox>, other: Option.Option<FollowedMailbox>): boolean =>
  Option.isNone(one) || Option.isNone(other)
    ? Option.isNone(one) === Option.isNone(other)
    : one.value.seenFrom === other.value.seenFrom && isSameCursor(one.value.cursor, other.value.cursor);
