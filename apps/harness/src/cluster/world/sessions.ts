import { AccountSessions, Authentication, SessionTokens } from "@postern/core/auth";
import type { AccountId } from "@postern/core/shared";
import { Context, Exit } from "effect";
import type { Cluster } from "../Cluster.ts";
import type { Script } from "../Script.ts";
import { signIn, USERS } from "./accounts.ts";

interface Tokens {
  readonly account: AccountId;
  readonly sessionId: string;
  access: string;
  refresh: string;
}

/** Adds acts in which clients sign in, use and refresh their tokens, repeat unanswered requests, and log out. */
export const sessionActs = (script: Script): void => {
  const { cluster } = script;
  const { random, timeline, facts } = cluster;
  const sessions: Array<Tokens> = [];

  script.often(Math.ceil(script.minutes), () => {
    const account = random.pick(USERS)!;
    signIn(cluster, account, ({ token, refreshToken }) =>
      sessions.push({ account, sessionId: sessionOf(token), access: token, refresh: refreshToken }),
    );
  });

  script.often(Math.ceil(script.minutes * 4), () => {
    const session = random.pick(sessions);
    if (session === undefined) return;
    const { access, sessionId } = session;
    const askedAt = timeline.now;
    cluster.request(
      `use a token of ${sessionId}`,
      (services) => Context.get(services, Authentication).byAccessToken(access),
      (exit) => {
        if (exit !== null && Exit.isSuccess(exit)) facts.push({ _tag: "TokenAccepted", sessionId, askedAt });
      },
    );
  });

  script.often(Math.ceil(script.minutes * 3), () => {
    const session = random.pick(sessions);
    if (session === undefined) return;
    refresh(cluster, session, session.refresh, 4);
    if (random.chance(0.3)) refresh(cluster, session, session.refresh, 1);
  });

  script.often(Math.ceil(script.minutes), () => {
    const session = random.pick(sessions);
    if (session === undefined) return;
    const { account, sessionId } = session;
    cluster.request(
      `log out ${sessionId}`,
      (services) => Context.get(services, AccountSessions).end(account, sessionId),
      (exit) => {
        if (exit !== null && Exit.isSuccess(exit)) facts.push({ _tag: "LoggedOut", sessionId, at: timeline.now });
      },
    );
  });
};

const refresh = (cluster: Cluster, session: Tokens, presented: string, times: number): void =>
  cluster.request(
    `refresh ${session.sessionId}`,
    (services) => Context.get(services, SessionTokens).exchange(presented),
    (exit) => {
      if (exit === null || !Exit.isSuccess(exit)) {
        if (times > 1) cluster.timeline.after(500, () => refresh(cluster, session, presented, times - 1));
        return;
      }
      session.access = exit.value.token;
      session.refresh = exit.value.refreshToken;
      cluster.facts.push({ _tag: "Refreshed", presented, successor: exit.value.refreshToken });
    },
  );

/** Returns the session that a plain token names. */
const sessionOf = (token: string): string => JSON.parse(token.slice(token.indexOf("{"))).sessionId;
