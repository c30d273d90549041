import type { ApiAnswer } from "@postern/client/browser";
import { useQuery } from "@tanstack/react-query";
import { t } from "../../texts/text.ts";
import { queries } from "../../api/client.ts";
import { adminApi } from "../records/admin-key.ts";
import { everyPage } from "../../ui/paged.ts";

export type Application = ApiAnswer<"GET /api/applications">["data"][number];

export const useApplications = () =>
  useQuery({
    queryKey: ["admin", "applications"],
    queryFn: ({ signal }) => everyPage((at) => adminApi("GET /api/applications", { query: at, signal })),
    staleTime: 0,
  });

/**
 * Refetches all data of the operator, because suspending or deleting an application changes its keys, messages and
 * accounts.
 */
export const refetchApplications = (): Promise<void> => queries.invalidateQueries({ queryKey: ["admin"] });

/** Returns the choices for the waiting messages of a deleted application (spec 10.2). */
export const mailChoices = () =>
  [
    { id: "cancel", name: t("Cancel them") },
    { id: "hold", name: t("Hold them"), hint: t("For 30 days, until you release them in the outbox.") },
    { id: "keep", name: t("Send them"), hint: t("They are sent at their time, without belonging to a key.") },
  ] as const;
