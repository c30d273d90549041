import type { ApiAnswer } from "@postern/client/browser";
import { useQuery } from "@tanstack/react-query";
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

/** Fetches everything of the operator again, because an application that is suspended or deleted changes its keys, messages and accounts. */
export const applicationsChanged = (): Promise<void> => queries.invalidateQueries({ queryKey: ["admin"] });

/** What happens to the waiting messages of a deleted application (spec 10.2). */
export const MAIL_CHOICES = [
  { id: "cancel", name: "Cancel them" },
  { id: "hold", name: "Hold them", hint: "For 30 days, until you release them in the outbox." },
  { id: "keep", name: "Send them", hint: "At their time, as if no key had requested them." },
] as const;
