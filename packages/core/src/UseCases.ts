import { Layer } from "effect";
import { AccountWatcher, ArrivalSync, InboxFollowing } from "./arrivals/index.ts";
import { OwnMoves, Watching } from "./watch/index.ts";
import { OwnerNotices, WatchReasons, WebhookDeliveries, WebhookDispatcher, WebhookEndpoints, WebhookSettlement, WebhookTrial } from "./webhooks/index.ts";
import { AccountRemoval, LiveEvents, SignIn } from "./lifecycle/index.ts";
import { AccountSessions, Authentication, LoginThrottle, Refresh } from "./auth/index.ts";
import { ReportReading, ReportWorker } from "./bounces/index.ts";
import { EventPublisher, EventRetention } from "./events/index.ts";
import { FolderManagement, FolderRemover, Folders, RemovalResumption } from "./folders/index.ts";
import { Inbox, MessageActions, MessageLocator, Messages, Search, Threads } from "./messages/index.ts";
import { Answering, OpenTracking, Outbox, OutgoingAttempts, OutgoingCommits, OutgoingWorker, Sending, SendRetention, Uploads } from "./send/index.ts";

/** Sending, and the worker that sends what is due later. */
const Send = Layer.mergeAll(Sending.layer, OutgoingWorker.layer).pipe(
  Layer.provide([OutgoingAttempts.layer, Layer.provide(Answering.layer, Uploads.layer)]),
  Layer.merge(Outbox.layer),
  Layer.provide(OutgoingCommits.layer),
  Layer.merge(OpenTracking.layer),
  Layer.merge(SendRetention.layer),
);

/** Webhooks, and the worker that brings events to endpoints. */
const Webhooks = Layer.mergeAll(WebhookEndpoints.layer, WebhookDeliveries.layer, WebhookTrial.layer).pipe(
  Layer.merge(WebhookDispatcher.layer),
  Layer.provide(WebhookSettlement.layer),
  Layer.provide(OwnerNotices.layer),
);

/** Signing in and out, and what an account is to us. */
export const AuthUseCases = Layer.mergeAll(
  SignIn.layer,
  Refresh.layer,
  Authentication.layer,
  AccountSessions.layer,
).pipe(
  Layer.provideMerge(LoginThrottle.layer),
  Layer.provideMerge(Layer.provideMerge(AccountRemoval.layer, Uploads.layer)),
);

/** Reading messages and acting on them. */
const Mail = Layer.mergeAll(Messages.layer, MessageActions.layer, Search.layer, Threads.layer);

/** Watching accounts, and this node's share of them. */
const Arrivals = AccountWatcher.layer.pipe(
  Layer.provide(InboxFollowing.layer),
  Layer.provide([ArrivalSync.layer, WatchReasons.layer]),
  Layer.merge(LiveEvents.layer),
);

/** Everything Postern can do, over whatever adapters stand behind its ports. */
export const UseCases = Layer.mergeAll(
  AuthUseCases,
  Inbox.layer,
  FolderManagement.layer,
  RemovalResumption,
  Send,
  Webhooks,
  EventRetention.layer,
  Mail,
  Arrivals,
  Layer.provide(ReportWorker.layer, ReportReading.layer),
).pipe(
  Layer.provideMerge(MessageLocator.layer),
  Layer.provideMerge(Layer.mergeAll(Folders.layer, FolderRemover.layer, Watching.layer)),
  Layer.provideMerge(Layer.merge(EventPublisher.layer, OwnMoves.layer)),
);
