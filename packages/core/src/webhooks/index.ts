// Use cases and workers
export { EndpointNotices } from "./EndpointNotices.ts";
export { WebhookDeliveries } from "./WebhookDeliveries.ts";
export { WebhookDispatcher } from "./WebhookDispatcher.ts";
export { WebhookEndpoints } from "./WebhookEndpoints.ts";
export { WebhookSettings } from "./WebhookSettings.ts";
export { WebhookSettlement } from "./WebhookSettlement.ts";
export { WebhookSubscriber } from "./WebhookSubscriber.ts";
export { WebhookTrial } from "./WebhookTrial.ts";

// Ports
export { type DeliveryFilter, DeliveryLog, type EventPlace, type LoggedDelivery } from "./ports/DeliveryLog.ts";
export { type ClaimedDelivery, DeliveryQueue, type SettledClaim } from "./ports/DeliveryQueue.ts";
export { EndpointPolicy } from "./ports/EndpointPolicy.ts";
export { Endpoints } from "./ports/Endpoints.ts";
export { Hmac } from "./ports/Hmac.ts";
export { type WebhookPost, WebhookSender } from "./ports/WebhookSender.ts";

// Errors
export { EndpointNotFound, EndpointUrlRefused, TooManyEndpoints } from "./errors.ts";

// Records and rules
export {
  attemptOf,
  claimDelivery,
  holdsLease,
  isCurrent,
  isHeld,
  newDelivery,
  reapDelivery,
  settleDelivery,
} from "./delivery-state.ts";
export type { Attempt, Delivery } from "./Delivery.ts";
export { type DeliveryErrorCode, type DeliveryOutcome, isDelivered } from "./DeliveryOutcome.ts";
export { ownedBy, ownedByApplication, sameOwner } from "./EndpointOwner.ts";
export { settingsOf } from "./endpoint-settings.ts";
export {
  disableEndpoint,
  enableEndpoint,
  MAX_ENDPOINTS,
  newEndpoint,
  outcomesOf,
  recordOutcomes,
} from "./endpoint-state.ts";
export { type EndpointUrl, readEndpointUrl, URL_REFUSALS, type UrlRefusal } from "./endpoint-url.ts";
export type { Endpoint, EndpointView } from "./Endpoint.ts";
export type { EndpointOwner } from "./EndpointOwner.ts";
export { findClaimable, nextWakeUp } from "./next-deliveries.ts";
export { headerSigner } from "./signature.ts";
export { initialSecrets, newSecret, type SigningSecrets } from "./signing-secrets.ts";
export { endpointJson } from "./stored-records.ts";
export type { DeliveryView } from "./WebhookDeliveries.ts";
