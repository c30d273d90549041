import { endpointPolicyContract, webhookSenderContract } from "@postern/testkit";
import { realReceivers } from "./real-receivers.ts";

const ports = realReceivers({ timeout: "2 seconds" });

webhookSenderContract("WebhookSender over HTTP", ports);
endpointPolicyContract("EndpointPolicy over DNS", ports);
