import type { ApiAnswer } from "@postern/client/browser";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { api, queries } from "../../api/client.ts";

export type Endpoint = ApiAnswer<"GET /api/settings/webhooks/:id">["data"];
export type Delivery = ApiAnswer<"GET /api/settings/webhooks/:id/deliveries">["data"][number];
export type DeliveryState = Delivery["state"];

const SOON_MILLIS = 1_000;
const LATER_MILLIS = 5_000;
/** The time for which deliveries are polled often after an action, such as a replay. */
const WATCHED_MILLIS = 30_000;

/** The time of the last action on each endpoint, by its id. */
const actedOn = new Map<string, number>();

const isWatched = (id: string): boolean => Date.now() - (actedOn.get(id) ?? 0) < WATCHED_MILLIS;

export const useEndpoints = () =>
  useQuery({
    queryKey: ["endpoints"],
    queryFn: async ({ signal }) => (await api("GET /api/settings/webhooks", { signal })).data,
    refetchInterval: LATER_MILLIS,
    staleTime: 0,
  });

/** Fetches an endpoint, which is refetched together with its deliveries. */
export const useEndpoint = (id: string) =>
  useQuery({
    queryKey: ["endpoint", id],
    queryFn: async ({ signal }) => (await api("GET /api/settings/webhooks/:id", { params: { id }, signal })).data,
    staleTime: 0,
  });

export const useEventTypes = () =>
  useQuery({
    queryKey: ["event-types"],
    queryFn: async ({ signal }) => (await api("GET /api/settings/webhooks/event-types", { signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  });

const isDueSoon = ({ state, nextAttemptAt }: Delivery): boolean =>
  state === "in_flight" ||
  (state === "pending" && nextAttemptAt !== null && Date.parse(nextAttemptAt) - Date.now() < 60_000);

/**
 * Lists deliveries, newest first; polls often while a delivery is about to change. Each poll refetches the endpoint
 * too.
 */
export const useDeliveries = (id: string, state: DeliveryState | null) =>
  useInfiniteQuery({
    queryKey: ["deliveries", id, state],
    queryFn: async ({ pageParam, signal }) => {
      const page = await api("GET /api/settings/webhooks/:id/deliveries", {
        params: { id },
        query: {
          limit: 25,
          ...(state === null ? {} : { state }),
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        signal,
      });
      if (pageParam === null) void queries.invalidateQueries({ queryKey: ["endpoint", id] });
      return page;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state: { data } }) =>
      isWatched(id) || data?.pages.some((page) => page.data.some(isDueSoon)) === true ? SOON_MILLIS : LATER_MILLIS,
    staleTime: 0,
  });

/** Refetches an endpoint and its deliveries after an action, now and often for a while. */
export const refetchEndpoint = (id: string): Promise<unknown> => {
  actedOn.set(id, Date.now());
  return Promise.all([
    queries.invalidateQueries({ queryKey: ["endpoints"] }),
    queries.invalidateQueries({ queryKey: ["endpoint", id] }),
    queries.invalidateQueries({ queryKey: ["deliveries", id] }),
  ]);
};
