// Refuses words that hide the actor or speak in images. Add a word when a reader stumbles over it.
import { guard, SOURCES } from "./guard.mjs";

const WORDS = [
  // Addresses (nobody@example.com) and the user "nobody" are allowed.
  [/\bnobody\b(?![@"])/i, "name the actor: no worker, no other account"],
  [/\bwhoever\b/i, "name the actor: the worker that, a client that"],
  [/\banew\b/i, "again, recreated, new"],
  [/\brungs?\b/i, "woken, a wake-up arrives; a step of the ladder"],
  [/\bmend(?:s|ed|ing)?\b/i, "fix, repair, replace"],
  [/\bbrought\b/i, "delivered, found, migrated"],
  [/\bdearest\b/i, "the most expensive"],
  [/\bbears? this name\b/i, "has this name"],
  [/\bas good as none\b/i, "reported as not found"],
  [/\bso to speak\b/i, "say it literally"],
  [/\bat most so many\b/i, "up to `limit`"],
  [/\bas it was left\b/i, "unchanged, with its state"],
  [/\bwhat becomes of\b/i, "the outcome of, the state of"],
  [/\bto be run (?:now|before|after)\b/i, "callers call it before"],
  [/\bmakes? good\b/i, "repairs, repeats, replaces"],
  [/\bis no arrival\b/i, "is not announced"],
  [/\bown affair\b/i, "left out, not listed"],
  [/\bnothing left open\b/i, "with all defaults filled in"],
  [/\bhung up on\b/i, "disconnected, the connection was closed"],
  [/\bgood-bye\b/i, "LOGOUT, BYE"],
  [/\bis of no (?:more )?use\b/i, "is useless, cannot be used"],
  [/\btaken for none\b/i, "treated as missing"],
  [/\b(?:some|any|every)body\b/i, "name the actor: a user, another program, all clients"],
  [/\bunless told\b/i, "by default"],
  [/\btold so\b/i, "answered with, informed"],
  [/\bwho looks after\b/i, "name the service or function"],
  [/\bat the door\b/i, "at sign-in, before sign-in"],
  [/\b(?:take[sn]?|took) back\b/i, "cancel, reclaim, undo"],
  [/\bwhat becomes\b/i, "the outcome of, the state of"],
  [/\bbe had\b/i, "available, obtained"],
  [/\bcomes? to nothing\b/i, "fails, is dropped"],
  [/\bby and by\b/i, "gradually, in batches"],
  [/\bas it were\b/i, "say it literally"],
  [/\bpoisonous\b/i, "that cannot be parsed"],
  [/\b(?:comes?|came) to pass\b/i, "happens, is called"],
  [/\bheard of\b/i, "announced, received"],
  [/\bon their way\b/i, "in flight, loading"],
  [/\bgone with\b/i, "removed with its scope, erased with the account"],
  [/\bof one'?s own\b/i, "the user's own"],
  [/\bway back\b/i, "undo, the button that changes nothing"],
  [/\bcomes? back once\b/i, "resolves when"],
  [/\bmuch else to do\b/i, "busy"],
];

const apart = (name) => name.replaceAll(/([a-z])([A-Z])/g, "$1 $2");

guard(
  [
    ...SOURCES,
    "{packages,adapters,apps}/*/src/**/*.{css,html}",
    "{packages,adapters,apps}/*/*.{mjs,json}",
    "apps/examples/!(node_modules)/**/*.{ts,json,md}",
    "packages/client-python/**/*.{py,md,toml}",
    ".{ci,config}/!(words.mjs)",
    ".*.mjs",
    "*.md",
    "docs/**/*.md",
    "packages/api/openapi.json",
  ],
  (text, file) =>
    file.endsWith("planted-violations.ts")
      ? []
      : text
          .split("\n")
          .flatMap((line, n) =>
            WORDS.filter(([word]) => word.test(apart(line))).map(
              ([word, better]) => `${n + 1}: "${word.exec(apart(line))[0]}": ${better}`,
            ),
          ),
);
