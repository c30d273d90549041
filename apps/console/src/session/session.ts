import { ApiProblem, type ApiAnswer } from "@postern/client/browser";
import { dropActions } from "../kept/waiting-actions.ts";
import { useQuery } from "@tanstack/react-query";
import { api, queries } from "../api/client.ts";
import { dropAnswers, keepingIsDecided, startKeeping } from "../api/kept-answers.ts";

type Session = ApiAnswer<"GET /api/auth/session">["data"];

/** Marks a browser that has a session, because scripts cannot see the cookie, and a request without a session logs a 401. */
const MARKER = "postern-signed-in";

/** The page to which the service redirects a browser after a consent (spec 11.3), because scripts cannot see that the cookie was set. */
const ARRIVAL = "#signed-in";

const read = async (): Promise<Session | null> => {
  if (location.hash === ARRIVAL) {
    localStorage.setItem(MARKER, "yes");
    history.replaceState(history.state, "", location.pathname + location.search);
  }
  if (localStorage.getItem(MARKER) === null) return null;
  if (!keepingIsDecided()) startKeeping(true);
  try {
    return (await api("GET /api/auth/session")).data;
  } catch (problem) {
    if (!(problem instanceof ApiProblem) || problem.status !== 401) throw problem;
    localStorage.removeItem(MARKER);
    await dropAnswers();
    return null;
  }
};

/** The signed-in account's session, or null. */
export const useSession = () => useQuery({ queryKey: ["session"], queryFn: read, staleTime: Number.POSITIVE_INFINITY });

/** Replaces the session and drops all cached answers to the previous one. */
const become = async (session: Session | null, isOwnDevice = true): Promise<void> => {
  await dropAnswers();
  dropActions();
  if (session !== null) startKeeping(isOwnDevice);
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
  queries.setQueryData(["session"], session);
  if (session === null) localStorage.removeItem(MARKER);
  else localStorage.setItem(MARKER, "yes");
};

export const signIn = async (email: string, password: string, isOwnDevice: boolean): Promise<void> => {
  const { data } = await api("POST /api/auth/login", { payload: { email, password } });
  await become(data, isOwnDevice);
  // This answer is kept too, so that the page knows its account without a network.
  void api("GET /api/auth/session").catch(() => {});
};

/** Ends the session. If that fails, the page stays signed in, because the session still exists. */
export const signOut = async (): Promise<void> => {
  await api("POST /api/auth/logout");
  await become(null);
};

/** Erases everything that the service stores of the account, and ends all its sessions. */
export const eraseAccount = async (): Promise<void> => {
  await api("DELETE /api/account");
  await become(null);
};
