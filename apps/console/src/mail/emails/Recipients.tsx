import { rich, t } from "../../texts/text.ts";

/** The recipients of a message, cut off at the end of their names, even if `To` has another text direction. */
export const Recipients = ({ names }: { readonly names: string }) =>
  names === ""
    ? t("No recipient")
    : rich("To <cut>{names}</cut>", { names, cut: (text) => <bdi className="cut">{text}</bdi> });
