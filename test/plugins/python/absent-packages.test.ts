import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readWheel } from "../../../src/plugins/packages/read-wheel.ts";
import { makeWheel } from "../wheels.ts";
import { type PythonHost, startPythonHost } from "./python-host.ts";

let host: PythonHost;
beforeAll(async () => {
  host = await startPythonHost();
}, 120_000);
afterAll(() => host.stop());

const source = `import PIL.Image, surely_missing.deep as deep
import numpy as np
from docx.shared import Pt
from google import genai
from lxml import etree
from langfuse.api import *

class Drawing(deep.Canvas):
    width = 3

class Tools:
    def plain(self, image: PIL.Image.Image | None = None) -> int:
        return Drawing().width + isinstance(image, np.ndarray) + isinstance(1, (Pt, genai.Client))

    def caught(self) -> str:
        try:
            raise ValueError("its own")
        except (etree.ParserError, ValueError) as error:
            return str(error)

    def uses(self, name: str):
        return {"np": lambda: np.zeros(3), "pil": lambda: PIL.Image.open("x"), "docx": lambda: Pt(3), "genai": lambda: genai.Client(),
            "loop": lambda: list(np.pi), "caught": lambda: etree.ParserError("x"), "base": lambda: deep.canvas.Canvas()}[name]()

    def others(self) -> list:
        import importlib.util, sys
        late = "nothing"
        try:
            import surely_missing_too
        except ImportError as error:
            late = error.name
        return [importlib.util.find_spec("numpy"), "numpy" in sys.modules, late]
`;

describe("packages that are not there", { timeout: 60_000 }, () => {
  it("stop no source that only says in its own words that they are missing", async () => {
    const told = `try:
    import surely_missing.deep
    from other_missing import Thing
except ImportError as error:
    print("Please install it")
    raise ImportError("Please install it") from error

try:
    import third_missing
except ImportError:
    third_missing = None

class Tools:
    def plain(self) -> str:
        return f"works {third_missing}"

    def uses(self):
        return Thing()
`;
    const { info, problems } = await host.describe(told);
    expect(info).toMatchObject({ specs: [{ name: "plain" }, { name: "uses" }] });
    expect(problems.map(({ severity, package: name }) => [severity, name])).toEqual([
      ["warning", "surely-missing"],
      ["warning", "other-missing"],
      ["warning", "third-missing"],
    ]);
    expect(await host.call(told, "plain")).toMatchObject({ value: "works None" });
    expect(await host.call(told, "uses")).toMatchObject({ error: { package: "other-missing" } });
  });

  it("are warnings with the package to add, and the rest of the plugin works", async () => {
    const { info, problems } = await host.describe(source);
    expect(info).toMatchObject({
      type: "tools",
      specs: [{ name: "plain" }, { name: "caught" }, { name: "uses" }, { name: "others" }],
    });
    expect(problems.map(({ severity, package: name }) => [severity, name])).toEqual(
      [
        "pillow",
        "surely-missing",
        "numpy",
        "python-docx",
        "google-genai",
        "lxml",
        "langfuse",
        "surely-missing-too",
      ].map((name) => ["warning", name]),
    );
    expect(await host.call(source, "plain")).toMatchObject({ ok: true, value: 3 });
    expect(await host.call(source, "caught")).toMatchObject({ ok: true, value: "its own" });
  });

  it.each([
    ["np", "numpy", "numpy"],
    ["loop", "numpy", "numpy"],
    ["pil", "PIL.Image", "pillow"],
    ["docx", "docx.shared", "python-docx"],
    ["genai", "google.genai", "google-genai"],
    ["caught", "lxml", "lxml"],
    ["base", "surely_missing.deep", "surely-missing"],
  ])("fail where they are used, with the package to add: %s", async (name, module, added) => {
    const message = `The module ${module} is not available: an administrator can add the package ${added}`;
    expect(await host.call(source, "uses", { name })).toMatchObject({
      ok: false,
      error: { code: "threw", name: "ModuleNotFoundError", package: added, message: expect.stringContaining(message) },
    });
  });

  it("are there for nobody else, and imports in functions fail as they are", async () => {
    expect(await host.call(source, "others")).toMatchObject({ ok: true, value: [null, false, "surely_missing_too"] });
  });

  it("stop a source that uses them while it is loaded", async () => {
    const { info, problems } = await host.describe(
      "import numpy as np\nZERO = np.zeros(3)\nclass Tools:\n    def f(self): pass\n",
    );
    expect(info).toBeUndefined();
    expect(problems).toMatchObject([
      { severity: "warning", package: "numpy" },
      { severity: "error", message: expect.stringContaining("The module numpy is not available"), line: 2 },
    ]);
  });

  it("are parts of what stands in for a compiled package, too", async () => {
    const using = `from cryptography.hazmat.primitives import hashes, serialization
class Tools:
    def f(self, all: bool):
        return serialization.load_pem_private_key(b"", None) if all else hashes.SHA256().name
`;
    expect((await host.describe(using)).problems).toMatchObject([
      { severity: "warning", line: 1, package: "cryptography" },
    ]);
    expect(await host.call(using, "f", { all: false })).toMatchObject({ ok: true, value: "sha256" });
    expect(await host.call(using, "f", { all: true })).toMatchObject({ ok: false, error: { package: "cryptography" } });
  });

  it("are the real ones as soon as they have been added", async () => {
    const filename = "surely_missing-1.0-py3-none-any.whl";
    const bytes = makeWheel("surely-missing", "1.0", { "surely_missing/deep.py": "def answer():\n    return 42\n" });
    const using =
      "import surely_missing.deep\nclass Tools:\n    def f(self):\n        return surely_missing.deep.answer()\n";
    expect((await host.describe(using)).problems).toHaveLength(1);
    const contents = readWheel(filename, bytes).index;
    const load = async () => bytes;
    const packages = [
      { name: "surely-missing", version: "1.0", filename, sha256: "0".repeat(64), contents, bytes: load },
    ];
    expect((await host.describe(using, packages)).problems).toEqual([]);
    expect(await host.call(using, "f", {}, { packages })).toMatchObject({ ok: true, value: 42 });
  });
});
