import { ApiProblem, type ApiAnswer } from "@postern/client/browser";
import { useQuery } from "@tanstack/react-query";
import { api, queries } from "../api/client.ts";

type Session = ApiAnswer<"GET /api/auth/session">["data"];

/** That somebody signed in here. The cookie itself cannot be seen, and asking without one is a 401 in the log. */
const MARKER = "postern-signed-in";

const read = async (): Promise<Session | null> => {
  if (localStorage.getItem(MARKER) === null) return null;
  try {
    return (await api("GET /api/auth/session")).data;
  } catch (problem) {
    if (!(problem instanceof ApiProblem) || problem.status !== 401) throw problem;
    localStorage.removeItem(MARKER);
    return null;
  }
};

/** The signed-in account's session, or null. */
export const useSession = () => useQuery({ queryKey: ["session"], queryFn: read, staleTime: Number.POSITIVE_INFINITY });

/** From now on it is this session; nothing read by another stays. */
const become = (session: Session | null): void => {
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
  queries.setQueryData(["session"], session);
  if (session === null) localStorage.removeItem(MARKER);
  else localStorage.setItem(MARKER, "yes");
};

export const signIn = async (email: string, password: string): Promise<void> => {
  const { data } = await api("POST /api/auth/login", { payload: { email, password } });
  become(data);
};

/** Ends the session; where that fails the page keeps it, so that its user does not believe to be signed out. */
export const signOut = async (): Promise<void> => {
  await api("POST /api/auth/logout");
  become(null);
};
