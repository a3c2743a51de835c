import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readWheel } from "../../../src/plugins/packages/read-wheel.ts";
import type { PluginPackage } from "../../../src/plugins/plugin-host.ts";
import { type PythonHost, readFixture, startPythonHost } from "./python-host.ts";

let host: PythonHost;

beforeAll(async () => {
  host = await startPythonHost();
}, 120_000);

afterAll(() => host.stop());

const folder = path.join(import.meta.dirname, "../../../workers/plugin-host/python/wheels");
let asked: string[] = [];

function packageOf(filename: string, bytes: Uint8Array): PluginPackage {
  const [name = "", version = ""] = filename.split("-");
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const load = async () => {
    asked.push(name);
    return bytes;
  };
  return { name, version, filename, sha256, contents: readWheel(filename, bytes).index, bytes: load };
}

/** Those of pydantic, as if they were of other versions than the ones that are built in: then they take their place. */
const wheels = readdirSync(folder)
  .filter((name) => /^(?:pydantic|annotated_types|typing_).*\.whl$/.test(name))
  .map((name) => packageOf(name, readFileSync(path.join(folder, name))))
  .map((each) => ({ ...each, version: `${each.version}.post1` }));

function makeWheel(name: string, files: Record<string, string>, metadata = ""): PluginPackage {
  const info = `${name}-1.0.dist-info`;
  const all = {
    ...files,
    [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\n${metadata}\n`,
    [`${info}/WHEEL`]: "Wheel-Version: 1.0\n",
  };
  const encoder = new TextEncoder();
  const entries = Object.fromEntries(Object.entries(all).map(([path, text]) => [path, encoder.encode(text)]));
  return packageOf(`${name}-1.0-py3-none-any.whl`, zipSync(entries));
}

const asks = `
"""
requirements: pydantic>=2.14, pydantic-core
"""
import pydantic
from pydantic import BaseModel, Field
from pydantic_core import SchemaValidator
from open_webui.models.users import Users, UserModel
from fastapi import HTTPException


class Place(BaseModel):
    city: str
    depth: float = Field(2.0, gt=0)


class Tools:
    class Valves(BaseModel):
        unit: str = "m"

    def __init__(self):
        self.valves = self.Valves()

    def where(self, place: Place) -> list:
        return [pydantic.VERSION, place.depth, place["city"], issubclass(UserModel, BaseModel), self.valves.unit]
`;

describe("uploaded packages", { timeout: 60_000 }, () => {
  it("run as they are, compiled parts too, and what is built in builds upon them", async () => {
    const { info, problems } = await host.describe(asks, wheels);
    expect(problems).toEqual([]);
    expect(info?.specs[0]?.parameters).toMatchObject({
      required: ["place"],
      $defs: { Place: { properties: { depth: { type: "number", exclusiveMinimum: 0, default: 2 } } } },
    });
    const place = { city: "Sines", depth: "12.5" };
    const options = { packages: wheels, valves: { unit: "ft" } };
    expect(await host.call(asks, "where", { place }, options)).toMatchObject({
      ok: true,
      value: ["2.14.3", 12.5, "Sines", true, "ft"],
    });
    expect(await host.call(asks, "where", { place: { city: "Sines", depth: -1 } }, options)).toMatchObject({
      ok: false,
      error: { name: "ValidationError", message: expect.stringContaining("greater than 0") as string },
    });
  });

  it("serve plugins of the corpus as well as what is built in", async () => {
    const calls = async (packages: PluginPackage[]) => {
      const source = readFixture("encrypted_valves");
      const order = { item: "rope", count: 2, to: { street: "Quay 1", city: "Porto" } };
      return [
        await host.call(source, "pipe", { body: {} }, { packages, valves: { API_KEY: "sk", TIMEOUT: null } }),
        await host.call(readFixture("typed_tools"), "order", { order }, { packages }),
        (await host.describe(readFixture("typed_tools"), packages)).info?.specs,
      ];
    };
    expect(await calls(wheels)).toEqual(await calls([]));
  });

  it("are left alone where the same version is built in", async () => {
    asked = [];
    const same = wheels.map((each) => ({ ...each, version: each.version.replace(".post1", "") }));
    expect(await host.call(asks, "where", { place: { city: "Sines" } }, { packages: same })).toMatchObject({
      ok: true,
    });
    expect(asked).toEqual([]);
  });

  it("are named by the error of a call that lacks them", async () => {
    const source = "class Tools:\n    def one(self):\n        import PIL.Image\n        return 1\n";
    expect(await host.call(source, "one")).toMatchObject({
      ok: false,
      error: { name: "ModuleNotFoundError", line: 3, message: expect.stringContaining("the package pillow") as string },
    });
  });

  it("are named where one of them cannot be imported, with what it lacks or says", async () => {
    const genai = (types: string) => [
      makeWheel("google_genai", { "google/genai/__init__.py": "", "google/genai/types.py": types }),
    ];
    const source =
      "from google.genai import types\nclass Tools:\n    def go(self) -> str:\n        return types.NAME\n";
    const told = async (types: string) =>
      (await host.describe(source, genai(types))).problems.map(({ message }) => message);
    expect(await told("NAME = 'x'")).toEqual([]);
    expect((await told("import not_there_at_all")).join()).toMatch(/not_there_at_all/);
    expect((await told("raise ValueError('needs a newer interpreter')")).join()).toMatch(/needs a newer interpreter/);
  });

  it("are loaded only where a source needs them", async () => {
    asked = [];
    const plain = "class Tools:\n    def one(self):\n        return 1\n";
    expect(await host.call(plain, "one", {}, { packages: wheels })).toMatchObject({ value: 1 });
    expect(asked).toEqual([]);
  });

  it("are found by requirements and by what is imported, under whatever name", async () => {
    const packages = [
      makeWheel(
        "harbour_kit",
        {
          "harbour/__init__.py": "from .ships import count\n",
          "harbour/ships.py": "import crane\ndef count():\n    return crane.lift(2)\n",
        },
        "Requires-Dist: crane>=1\nRequires-Dist: nothing; extra == 'all'",
      ),
      makeWheel("crane", { "crane.py": "def lift(n):\n    return n * 3\n" }),
      makeWheel("other", { "other.py": "raise RuntimeError('never imported')\n" }),
    ];
    const source = "import harbour\nclass Tools:\n    def ships(self):\n        return harbour.count()\n";
    expect(await host.call(source, "ships", {}, { packages })).toMatchObject({ ok: true, value: 6 });
    const required = `"""\nrequirements: harbour-kit==1.0\n"""\n${source}`;
    expect((await host.describe(required, packages)).problems).toEqual([]);
    expect(await host.describe(required, packages.slice(0, 1))).toMatchObject({
      problems: [
        {
          severity: "warning",
          message: expect.stringContaining("harbour_kit needs crane>=1, which has not been uploaded") as string,
        },
      ],
    });
    expect(await host.call(required, "ships", {}, { packages: packages.slice(0, 1) })).toMatchObject({
      ok: false,
      error: { package: "crane", message: expect.stringContaining("can add the package crane") as string },
    });
    expect(await host.describe(required.replace("==1.0", ">=2"), packages)).toMatchObject({
      problems: [
        { severity: "warning", line: 2, message: expect.stringContaining("version 1.0 was uploaded") as string },
      ],
    });
  });

  it("never take the place of what has to use the granted network", async () => {
    const packages = [makeWheel("requests", { "requests/__init__.py": "raise RuntimeError('the uploaded one')\n" })];
    const source =
      '"""\nrequirements: requests\n"""\nimport requests\nclass Tools:\n    def version(self):\n        return requests.__version__\n';
    expect(await host.call(source, "version", {}, { packages })).toMatchObject({ ok: true, value: "2.34.2" });
  });

  it("say what is wrong with a file that is no wheel", async () => {
    const broken: PluginPackage = {
      ...makeWheel("crane", { "crane.py": "" }),
      bytes: async () => new TextEncoder().encode("no zip"),
    };
    const source = "import crane\nclass Tools:\n    def one(self):\n        return 1\n";
    expect(await host.describe(source, [broken])).toMatchObject({
      problems: [{ severity: "error", message: expect.stringContaining("crane") as string }],
    });
  });
});
