/** WebAssembly is compiled beforehand: by the bundler's rules in a Worker, by test/wasm-modules.ts in tests. */
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
