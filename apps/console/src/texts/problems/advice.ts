import { markText } from "../mark-text.ts";

export const AGAIN = markText("Try again in a moment.");
export const GONE = markText("It may have been deleted. Reload the page.");
export const CHANGED = markText("Nothing was changed. Reload the page, then make the change again.");
export const RELOAD = markText("Reload the page. If that does not help, tell the operator of this service.");
export const OTHER_KEY = markText("Use another key, or ask the operator of this service.");
export const NOT_SENT = markText("Nothing was sent.");
