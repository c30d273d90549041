import { Layer } from "effect";
import { AccountWatcher } from "./arrivals/AccountWatcher.ts";
import { ArrivalSync } from "./arrivals/ArrivalSync.ts";
import { InboxFollowing } from "./arrivals/InboxFollowing.ts";
import { OwnMoves } from "./arrivals/OwnMoves.ts";
import { Watching } from "./arrivals/Watching.ts";
import { WatchReasons } from "./arrivals/WatchReasons.ts";
import { AccountRemoval } from "./auth/AccountRemoval.ts";
import { AccountSessions } from "./auth/AccountSessions.ts";
import { Authentication } from "./auth/Authentication.ts";
import { LoginThrottle } from "./auth/LoginThrottle.ts";
import { Refresh } from "./auth/Refresh.ts";
import { SignIn } from "./auth/SignIn.ts";
import { ReportReading } from "./bounces/ReportReading.ts";
import { ReportWorker } from "./bounces/ReportWorker.ts";
import { EventRetention } from "./events/EventRetention.ts";
import { EventPublisher } from "./events/EventPublisher.ts";
import { LiveEvents } from "./events/LiveEvents.ts";
import { FolderManagement } from "./folders/FolderManagement.ts";
import { FolderRemover } from "./folders/FolderRemover.ts";
import { Folders } from "./folders/Folders.ts";
import { RemovalResumption } from "./folders/RemovalResumption.ts";
import { Inbox } from "./inbox/Inbox.ts";
import { Answering } from "./messages/Answering.ts";
import { MessageActions } from "./messages/MessageActions.ts";
import { MessageLocator } from "./messages/MessageLocator.ts";
import { Messages } from "./messages/Messages.ts";
import { Search } from "./messages/Search.ts";
import { Threads } from "./messages/Threads.ts";
import { OpenTracking } from "./send/OpenTracking.ts";
import { Outbox } from "./send/Outbox.ts";
import { OutgoingAttempts } from "./send/OutgoingAttempts.ts";
import { OutgoingCommits } from "./send/OutgoingCommits.ts";
import { OutgoingWorker } from "./send/OutgoingWorker.ts";
import { Sending } from "./send/Sending.ts";
import { OwnerNotices } from "./webhooks/OwnerNotices.ts";
import { WebhookDeliveries } from "./webhooks/WebhookDeliveries.ts";
import { WebhookDispatcher } from "./webhooks/WebhookDispatcher.ts";
import { WebhookEndpoints } from "./webhooks/WebhookEndpoints.ts";
import { WebhookSettlement } from "./webhooks/WebhookSettlement.ts";
import { WebhookTrial } from "./webhooks/WebhookTrial.ts";
import { SendRetention } from "./send/SendRetention.ts";
import { Uploads } from "./send/Uploads.ts";

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
