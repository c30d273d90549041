import type { Approval } from "@postern/core/drafts";
import type { SendingKey } from "@postern/core/send";

/** A draft as its owner and agents know it. */
export interface WalkedDraft {
  readonly id: string;
  version: number;
  subject: string;
  readonly to: string;
  isGone: boolean;
}

/** An approval as the agent that asked and the person who decides know it. */
export interface WalkedApproval {
  readonly id: string;
  readonly draft: WalkedDraft;
  readonly by: SendingKey;
  readonly version: number;
  readonly subject: string;
  readonly isKnown: boolean;
  readonly expiresAt: number;
  state: Approval["state"];
  reason: string | null;
  decidedAt: number;
}
