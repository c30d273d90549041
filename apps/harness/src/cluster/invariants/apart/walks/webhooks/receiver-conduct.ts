import type { Cluster } from "../../../../Cluster.ts";
import type { ModelEndpoint } from "./ModelEndpoint.ts";
import type { WebhookModel } from "./WebhookModel.ts";

/** Makes the receiver at the URL of an endpoint answer as the model says. */
export const applyConduct = ({ receivers }: Cluster, { conduct, settings }: ModelEndpoint): void =>
  receivers.behave(settings.url, {
    broken: conduct === 500 ? 1 : 0,
    silent: conduct === null ? 1 : 0,
    cut: 0,
    slow: 2,
  });

/** Sets how the receiver of an endpoint answers: with a status, or not in time. */
export const setConduct = (
  cluster: Cluster,
  model: WebhookModel,
  endpoint: ModelEndpoint,
  conduct: ModelEndpoint["conduct"],
): void => {
  endpoint.conduct = conduct;
  applyConduct(cluster, endpoint);
  model.turnsChanged();
};
