// Refuses half-services: a generator of the core that yields services and returns functions is to be a `Context.Service`.
import { guard } from "./guard.mjs";

/** Declares what a domain keeps of accounts; builds the workers of the engine. */
const ALLOWED = /\/module\.ts$|\/shared\/leased-work\.ts$/;

const GENERATOR = /^(?:export )?const (\w+)(?::.*)? = Effect\.(?:gen|fn|fnUntraced)\b[^\n]*\n([\s\S]*?)^\}/gm;
const YIELDS_SERVICE = /yield\* (?:\(yield\* )?[A-Z]\w*[;)]/;
const RETURNS_FUNCTIONS = /^  return (?:\{|\(|async |Effect\.fn)/m;

const faultsOf = (text, file) =>
  ALLOWED.test(file)
    ? []
    : [...text.matchAll(GENERATOR)]
        .filter(([, , body]) => YIELDS_SERVICE.test(body) && RETURNS_FUNCTIONS.test(body))
        .map(([, name]) => `${name} yields services and returns functions: make it a service`);

guard(["packages/core/src/**/*.ts"], faultsOf);
