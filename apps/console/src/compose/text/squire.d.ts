declare module "squire-rte" {
  export { Squire as default } from "squire-rte/dist/types/Editor.d.ts";
}
