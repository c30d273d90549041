import { authorizationServerContract, scriptedGuard } from "@postern/testkit";
import { Layer } from "effect";
import { layer } from "../src/index.ts";
import { realProviders } from "./real-providers.ts";

authorizationServerContract(
  "AuthorizationServer over HTTP",
  Layer.merge(realProviders, Layer.provide(layer(), scriptedGuard())),
);
