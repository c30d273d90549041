import type { Approval } from "@postern/core/drafts";
import type { EventType } from "@postern/core/events";
import type { AccountId } from "@postern/core/shared";
import type { EndpointOwner } from "@postern/core/webhooks";

/**
 * An action of a simulated user, client or server, or an answer to one. Invariants read the facts. Times are true
 * times.
 */
export type Fact =
  /** A request to send was answered with this id. */
  | {
      readonly _tag: "SendAccepted";
      readonly account: AccountId;
      readonly subject: string;
      readonly key: string | undefined;
      readonly id: string;
    }
  | { readonly _tag: "PasswordChanged"; readonly account: AccountId; readonly password: string }
  | {
      readonly _tag: "EndpointMade";
      readonly owner: EndpointOwner;
      readonly id: string;
      readonly url: string;
      readonly events: ReadonlyArray<EventType>;
      readonly ordered: boolean;
      /** Whether no act changes, disables, replays or removes the endpoint. */
      readonly isSteady: boolean;
    }
  /** A message was in INBOX before it was watched. */
  | { readonly _tag: "MailPresent"; readonly account: AccountId; readonly messageId: string }
  | { readonly _tag: "MailArrived"; readonly account: AccountId; readonly messageId: string; readonly at: number }
  /** Another client removed a message from INBOX. */
  | { readonly _tag: "MailTaken"; readonly account: AccountId; readonly messageId: string }
  /** INBOX got a new UIDVALIDITY: arrivals that are not announced yet may be mistaken for earlier messages. */
  | { readonly _tag: "InboxRecreated"; readonly account: AccountId; readonly at: number }
  /** The user's message in a folder, which no act deletes permanently. */
  | { readonly _tag: "MailFiled"; readonly account: AccountId; readonly messageId: string; readonly folder: string }
  /** A report that a message was not delivered; a forged one names a recipient that the message does not have. */
  | {
      readonly _tag: "ReportArrived";
      readonly account: AccountId;
      readonly envelopeId: string;
      readonly recipient: string;
      readonly messageId: string;
      readonly isForged: boolean;
    }
  /** A browser follows the events of an account that come after this id. */
  | { readonly _tag: "FollowBegan"; readonly follower: string; readonly account: AccountId; readonly id: string }
  | { readonly _tag: "EventSeen"; readonly follower: string; readonly account: AccountId; readonly id: string }
  | { readonly _tag: "GapSeen"; readonly follower: string; readonly account: AccountId }
  /** A draft with this subject was stored, by a save of this version or, if that is null, by another client. */
  | {
      readonly _tag: "DraftWritten";
      readonly account: AccountId;
      readonly id: string;
      readonly base: string | null;
      readonly subject: string;
      readonly askedAt: number;
    }
  /**
   * A user or another program requested to store a draft with this subject, or to delete the draft if the subject is
   * null.
   */
  | { readonly _tag: "DraftChangeAsked"; readonly id: string; readonly subject: string | null; readonly at: number }
  /** An agent got this approval as an answer, and people see it. */
  | { readonly _tag: "ApprovalShown"; readonly approval: Approval }
  /** A person tried to approve an approval that shows this subject. */
  | { readonly _tag: "ApprovalTried"; readonly account: AccountId; readonly subject: string }
  /** A person got the answer that the approval with this subject is denied. */
  | { readonly _tag: "ApprovalDenied"; readonly account: AccountId; readonly subject: string }
  /** The mail server refuses to change the mailboxes of an account, until the end of the faults at the latest. */
  | { readonly _tag: "ChangesRefused"; readonly account: AccountId }
  /** A user got the answer that a message was moved out of this folder. */
  | { readonly _tag: "MailMoved"; readonly account: AccountId; readonly messageId: string; readonly from: string }
  | { readonly _tag: "TokenAccepted"; readonly sessionId: string; readonly askedAt: number }
  | { readonly _tag: "LoggedOut"; readonly sessionId: string; readonly at: number }
  | { readonly _tag: "Refreshed"; readonly presented: string; readonly successor: string }
  | { readonly _tag: "KeyAccepted"; readonly keyId: string; readonly askedAt: number }
  | { readonly _tag: "KeyDeleted"; readonly keyId: string; readonly at: number }
  | { readonly _tag: "KeyMade"; readonly keyId: string; readonly text: string }
  /** A client began to request a creation with an `Idempotency-Key` of this name. */
  | { readonly _tag: "CreationAsked"; readonly kind: string; readonly name: string }
  /** A creation with an `Idempotency-Key` of this name was answered with this id. */
  | { readonly _tag: "Created"; readonly kind: string; readonly name: string; readonly id: string }
  /** All nodes ended when the faults ended, so no earlier call is in progress. */
  | { readonly _tag: "AllEnded" }
  | { readonly _tag: "AccountManaged"; readonly account: AccountId }
  | { readonly _tag: "RemovalAsked"; readonly account: AccountId }
  | { readonly _tag: "AccountRemoved"; readonly account: AccountId; readonly at: number }
  | { readonly _tag: "AccountPaused"; readonly account: AccountId; readonly at: number }
  | { readonly _tag: "ResumeAsked"; readonly account: AccountId; readonly at: number };

/** The facts of one kind. */
export type FactOf<Tag extends Fact["_tag"]> = Extract<Fact, { readonly _tag: Tag }>;

/** Returns the facts of one kind, in the order in which they happened. */
export const factsOf = <Tag extends Fact["_tag"]>(facts: ReadonlyArray<Fact>, tag: Tag): ReadonlyArray<FactOf<Tag>> =>
  facts.filter((fact): fact is FactOf<Tag> => fact._tag === tag);
