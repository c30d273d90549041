import { t } from "../../texts/text.ts";
export interface UrlRemark {
  /** The kind of remark. `fault`: the service refuses this URL. `doubt`: the service may refuse it. */
  readonly is: "fault" | "doubt";
  readonly text: string;
}

const PRIVATE_HOST =
  /^(localhost|.*\.(local|internal|localhost)|127\..*|10\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*|169\.254\..*|\[.*\])$/i;

/** Returns a remark on an endpoint's URL while it is typed, null if there is none (spec 7). */
export const urlRemark = (text: string): UrlRemark | null => {
  if (text === "") return null;
  if (text.length > 2048) return { is: "fault", text: t("The URL is longer than 2048 characters.") };
  if (/\s/.test(text.trim())) return { is: "fault", text: t("A URL cannot contain spaces.") };
  if (!/^https?:\/\//i.test(text)) return { is: "fault", text: t("Start with https://") };
  const url = URL.parse(text);
  if (url === null) return { is: "fault", text: t("The URL is incomplete.") };
  if (url.username !== "" || url.password !== "")
    return { is: "fault", text: t("Remove the user name and password from the URL.") };
  if (url.protocol === "http:") {
    return {
      is: "doubt",
      text: t("Only https is accepted, except for networks that the operator of this service exempted."),
    };
  }
  if (PRIVATE_HOST.test(url.hostname)) {
    return {
      is: "doubt",
      text: t("A private address is accepted only if the operator of this service exempted its network."),
    };
  }
  return null;
};
