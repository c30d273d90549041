import { StoresInMemory } from "@postern/memory";
import { mailTransportContract, passwordsOnly } from "@postern/testkit";
import { Layer } from "effect";
import { httpMailTransport } from "../HttpMailTransport.ts";
import { api, mailApiControl } from "./mail-api.ts";

mailTransportContract(
  "MailTransport over an HTTP mail API",
  Layer.merge(httpMailTransport(api), mailApiControl).pipe(
    Layer.provide(passwordsOnly),
    Layer.provideMerge(StoresInMemory),
  ),
  { answers: "at once" },
);
