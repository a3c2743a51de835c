import { initSync, LiteParse, type LiteParseConfig } from "@llamaindex/liteparse-wasm";
import module from "@llamaindex/liteparse-wasm/liteparse_wasm_bg.wasm";

type Exports = WebAssembly.Exports & { memory: WebAssembly.Memory };

/** What the library takes for the exports of its only instance; those of the instance in use are copied into it. */
let exports: Exports | undefined;
let imports: WebAssembly.Imports = {};
let last: Promise<void> = Promise.resolve();

/**
 * Runs a function with a fresh instance of the PDF library: its memory never shrinks, and after an error its state is
 * unknown. One at a time, because the library supports only one instance.
 */
export async function* withPdfEngine<T>(
  use: (create: (config: LiteParseConfig) => LiteParse) => AsyncIterable<T>,
): AsyncGenerator<T, undefined> {
  const before = last;
  let release = () => {};
  last = new Promise<void>((resolve) => (release = resolve));
  await before;
  try {
    begin();
    yield* use((config) => new LiteParse(config));
  } finally {
    release();
  }
}

function begin(): void {
  if (!exports) {
    exports = {} as Exports;
    introduce(exports);
  } else {
    // Views of the memory that the library keeps notice that it is gone, and are made again.
    exports.memory.grow(0);
  }
  Object.assign(exports, new WebAssembly.Instance(module, imports).exports);
  // An instance goes as a whole. What is left of the one before must not be freed in the one that came after it.
  const nothing = () => undefined;
  Object.assign(exports, {
    __wbg_liteparse_free: nothing,
    __wbg_parsesession_free: nothing,
    __wbindgen_destroy_closure_command_export: nothing,
  });
  (exports["__wbindgen_start"] as () => void)();
}

/** Has the library make its instance, which it does only once, and gives it an object in place of the exports. */
function introduce(facade: Exports): void {
  const descriptor = Object.getOwnPropertyDescriptor(WebAssembly, "Instance")!;
  Object.assign(facade, { memory: new WebAssembly.Memory({ initial: 1 }), __wbindgen_start: () => undefined });
  Object.defineProperty(WebAssembly, "Instance", {
    ...descriptor,
    value: function capture(_: WebAssembly.Module, all: WebAssembly.Imports) {
      imports = all;
      return { exports: facade };
    },
  });
  try {
    initSync({ module });
  } finally {
    Object.defineProperty(WebAssembly, "Instance", descriptor);
  }
}
