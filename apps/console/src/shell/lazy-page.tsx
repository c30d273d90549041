import { ApiProblem } from "@postern/client/browser";
import { type ComponentType, lazy } from "react";
import { t } from "../texts/text.ts";
import { awaitChanges } from "../api/changes-under-way.ts";
import { PREFIX } from "../api/prefix.ts";

/** The maximum time that a reload waits for changes in flight. */
const MAX_WAIT_MILLIS = 10_000;
/** If the page still exists after this time, the reader must have refused the reload. */
const RELOAD_MILLIS = 5_000;

const forgets = new Set<() => void>();

/** Lets pages whose code could not be loaded try again when they are next shown. */
export const forgetLostPages = (): void => {
  for (const forget of forgets) forget();
  forgets.clear();
};

/**
 * Returns a page whose code is loaded when it is first shown. After an upgrade of the service while the console was
 * open, the service no longer has this code. The browser then reloads the page, at most once for each page and build.
 */
export const lazyPage = <Props extends object>(
  name: string,
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
) => {
  const mark = `postern-reloaded ${name}`;
  const loadOrReload = async () => {
    try {
      const loaded = await load();
      sessionStorage.removeItem(mark);
      return loaded;
    } catch (error) {
      forgets.add(() => (Page = lazy(loadOrReload)));
      if (!(await isAnswering())) throw unreachable(error);
      if (sessionStorage.getItem(mark) === import.meta.url) throw error;
      sessionStorage.setItem(mark, import.meta.url);
      await awaitChanges(MAX_WAIT_MILLIS);
      location.reload();
      await new Promise((resolve) => setTimeout(resolve, RELOAD_MILLIS));
      throw error;
    }
  };
  let Page = lazy(loadOrReload);
  return (props: Props) => <Page {...props} />;
};

/** Returns whether the service answers: without a network, a reload would lose the visible page. */
const isAnswering = (): Promise<boolean> =>
  fetch(`${PREFIX}/`, { cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );

const unreachable = (cause: unknown): ApiProblem => {
  const title = t("This page could not be loaded");
  const detail = t("The service cannot be reached. Check the network, then try again.");
  return new ApiProblem(0, { code: "offline", title, detail }, null, { cause });
};
