import { Effect, Layer, Option } from "effect";
import { AgentGrantRecords } from "../../src/assistants/index.ts";
import { Audit } from "../../src/audit/index.ts";
import { type ServiceKey, ServiceKeys } from "../../src/auth/index.ts";
import { type Approval, Approvals, Drafts } from "../../src/drafts/index.ts";
import {
  IdempotencyKeys,
  type IdempotencyRecord,
  type SendingKey,
  type SendQuota,
  SendQuotas,
  UNUSED_QUOTA,
} from "../../src/send/index.ts";
import type { SendRequest } from "../../src/send/neighbours.ts";
import { readableHashes } from "../doubles.ts";
import { ME, stored } from "../messages/mailbox-in-memory.ts";
import { ApprovalNeeded } from "../../src/send/agents/check-agent.ts";
import { DraftsWorld } from "./drafts-in-memory.ts";

/** The key of an agent whose messages a person approves. */
export const AGENT: SendingKey = {
  kind: "key",
  id: "key_1",
  name: "Agent",
  application: "app",
  policy: { to: [], approval: "always" },
  sendPerDay: 2,
};

/** Drafts with approvals. The account has written to `known@y.test` before. */
export class ApprovalsWorld extends DraftsWorld {
  quotas = new Map<string, SendQuota>();
  usedKeys = new Map<string, IdempotencyRecord>();
  /** The times at which keys end, by id. */
  keys = new Map<string, number | null>([[AGENT.id, null]]);
  grants = new Map<string, number>();

  constructor() {
    super();
    const to = [{ name: "", address: "known@y.test" }];
    this.folders.push({ id: "sent", role: "sent", messages: [stored(3, { to })] });
    this.refusal = new ApprovalNeeded();
  }

  readonly approvalsLayer = Layer.suspend(() => {
    const quotas = Layer.mock(SendQuotas, {
      modify: (holder, change) =>
        Effect.suspend(() =>
          Effect.map(Effect.fromResult(change(this.quotas.get(holder) ?? UNUSED_QUOTA)), (quota) => {
            this.quotas.set(holder, quota);
            return quota;
          }),
        ),
    });
    const idempotencyKeys = Layer.mock(IdempotencyKeys, {
      find: (_, key) => Effect.sync(() => Option.fromUndefinedOr(this.usedKeys.get(key))),
      take: (record, expired) =>
        Effect.sync(() => {
          const isTaken = (this.usedKeys.get(record.key)?.createdAt ?? 0) > expired;
          if (!isTaken) this.usedKeys.set(record.key, record);
          return !isTaken;
        }),
    });
    const requesters = Layer.mergeAll(
      Layer.mock(ServiceKeys, {
        find: (id) =>
          Effect.sync(() =>
            this.keys.has(id) ? Option.some({ expiresAt: this.keys.get(id) } as ServiceKey) : Option.none(),
          ),
      }),
      Layer.mock(AgentGrantRecords, {
        find: (id) =>
          Effect.sync(() =>
            Option.map(Option.fromUndefinedOr(this.grants.get(id)), (expiresAt) => ({ expiresAt }) as never),
          ),
      }),
    );
    const audit = Layer.mock(Audit, {
      trailOf: () => () => Effect.void,
      worker: Effect.never as never,
      callsBefore: (time, key, account) => Effect.succeed([[time, key, account]] as never),
    });
    return Approvals.layer.pipe(
      Layer.provideMerge(Layer.mergeAll(this.all, quotas, idempotencyKeys, requesters, audit, readableHashes)),
    );
  });
}

/** The use cases of approvals in a world. */
export const approvalsOf = (world: ApprovalsWorld) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(world.approvalsLayer);
    const ofApprovals = <A, E>(use: (approvals: Approvals["Service"]) => Effect.Effect<A, E>) =>
      Effect.provideContext(Effect.flatMap(Approvals, use), context);
    const ofDrafts = <A, E>(use: (drafts: Drafts["Service"]) => Effect.Effect<A, E>) =>
      Effect.provideContext(Effect.flatMap(Drafts, use), context);
    return {
      send: (request: SendRequest, by: SendingKey | null = AGENT, key?: string) =>
        ofApprovals((approvals) => approvals.send(ME, request, key, by)),
      sendDraft: (id: string, version?: string, by: SendingKey | null = AGENT) =>
        ofApprovals((approvals) => approvals.sendDraft(ME, id, version, undefined, by)),
      page: (state?: Approval["state"]) =>
        Effect.map(
          ofApprovals((approvals) => approvals.page(ME, { state })),
          ({ items }) => items.map((one) => [one.draftId, one.state]),
        ),
      find: (id: string) =>
        Effect.map(
          ofApprovals((approvals) => approvals.find(ME, id)),
          (found): Approval & { readonly calls: ReadonlyArray<unknown> } => found,
        ),
      approve: (id: string, version?: string, by: string | null = null) =>
        ofApprovals((approvals) => approvals.approve(ME, id, version, by === null ? null : { id: by })),
      deny: (id: string, reason?: string, by: string | null = null) =>
        ofApprovals((approvals) => approvals.deny(ME, id, reason, by === null ? null : { id: by })),
      create: (request: SendRequest) => ofDrafts((drafts) => drafts.create(ME, request)),
      remove: (id: string) => ofDrafts((drafts) => drafts.remove(ME, id)),
      save: (id: string, version: string, request: SendRequest) =>
        ofDrafts((drafts) => drafts.save(ME, id, version, request)),
    };
  });

/** Returns the approval that a request to send was answered with. */
export const askedBy = <E, R>(
  sent: Effect.Effect<{ readonly approval: Approval } | { readonly receipt: unknown }, E, R>,
) =>
  Effect.flatMap(sent, (answer) =>
    "approval" in answer ? Effect.succeed(answer.approval) : Effect.die(new Error("sent without an approval")),
  );

export const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag);
