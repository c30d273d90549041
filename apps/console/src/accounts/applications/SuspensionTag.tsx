import { t } from "../../texts/text.ts";
import type { Application } from "./applications.ts";

/** A tag that shows whether an application is suspended. */
export const SuspensionTag = ({ application: { suspendedAt } }: { readonly application: Application }) =>
  suspendedAt === null ? (
    <span className="tag good">{t("active [application]")}</span>
  ) : (
    <span className="tag warn">{t("suspended")}</span>
  );
