declare module "virtual:texts/*" {
  const messages: Readonly<Record<string, import("icu-minify/format").CompiledMessage>>;
  export default messages;
}
