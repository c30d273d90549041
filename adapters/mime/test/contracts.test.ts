import { layerInProcess, layer } from "@postern/mime";
import { messageParserContract } from "@postern/testkit";

messageParserContract("MessageParser in workers", layer({ timeout: "30 seconds" }));
messageParserContract("MessageParser in process", layerInProcess);
