export interface UrlRemark {
  /** A fault is refused for certain; a doubt is for the service to decide. */
  readonly is: "fault" | "doubt";
  readonly text: string;
}

const PRIVATE_HOST =
  /^(localhost|.*\.(local|internal|localhost)|127\..*|10\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*|169\.254\..*|\[.*\])$/i;

/** What is wrong or doubtful about an endpoint's URL as far as it is typed; null: nothing (spec 7). */
export const urlRemark = (text: string): UrlRemark | null => {
  if (text === "") return null;
  if (text.length > 2048) return { is: "fault", text: "A URL may have 2048 characters." };
  if (/\s/.test(text.trim())) return { is: "fault", text: "A URL has no spaces in it." };
  if (!/^https?:\/\//i.test(text)) return { is: "fault", text: "Begin with https://" };
  const url = URL.parse(text);
  if (url === null) return { is: "fault", text: "This is not a whole URL yet." };
  if (url.username !== "" || url.password !== "") return { is: "fault", text: "Leave user and password out of it." };
  if (url.protocol === "http:") {
    return { is: "doubt", text: "Only https is taken, except for networks the operator of this service exempted." };
  }
  if (PRIVATE_HOST.test(url.hostname)) {
    return {
      is: "doubt",
      text: "A private address is taken only where the operator of this service exempted its network.",
    };
  }
  return null;
};
