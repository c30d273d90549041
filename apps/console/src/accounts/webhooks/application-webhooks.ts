import type { ApiAnswer } from "@postern/client/browser";
import { useQuery } from "@tanstack/react-query";
import { adminApi } from "../records/admin-key.ts";
import { everyPage, usePages } from "../../ui/paged.ts";

export type ApplicationDelivery = ApiAnswer<"GET /api/applications/:name/webhooks/:id/deliveries">["data"][number];

/** The webhook endpoints of an application (spec 7.13). */
export const useEndpoints = (name: string) =>
  useQuery({
    queryKey: ["admin", "endpoints", name],
    queryFn: ({ signal }) =>
      everyPage((at) => adminApi("GET /api/applications/:name/webhooks", { params: { name }, query: at, signal })),
    staleTime: 0,
  });

/** The deliveries of an endpoint, newest first. */
export const useDeliveries = (name: string, id: string) =>
  usePages<ApplicationDelivery>(["admin", "deliveries", name, id], (at, signal) =>
    adminApi("GET /api/applications/:name/webhooks/:id/deliveries", { params: { name, id }, query: at, signal }),
  );

/** Returns the address of an endpoint's page. */
export const endpointPath = (name: string, id: string): string =>
  `/accounts/applications?${new URLSearchParams({ name, endpoint: id }).toString()}`;
