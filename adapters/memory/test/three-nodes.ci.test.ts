import { UploadContentsInMemory } from "@postern/memory";
import { runContracts, STORE_DOMAINS, watchNodesContract } from "@postern/testkit";
import { Layer } from "effect";
import { ThreeNodes } from "./three-nodes.ts";

for (const domain of STORE_DOMAINS) {
  runContracts(domain, "of three nodes", Layer.merge(ThreeNodes, UploadContentsInMemory));
}
watchNodesContract("three nodes", ThreeNodes);
