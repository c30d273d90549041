import { deliveryLogContract } from "./delivery-log-contract.ts";
import { deliveryQueueContract } from "./delivery-queue-contract.ts";
import { endpointsContract } from "./endpoints-contract.ts";

export * from "./endpoint-policy-contract.ts";
export * from "./hmac-contract.ts";
export * from "./webhook-sender-contract.ts";

/** The contracts of the stores of `webhooks`, by port. */
export const webhooksStores = {
  DeliveryLog: deliveryLogContract,
  DeliveryQueue: deliveryQueueContract,
  Endpoints: endpointsContract,
};
