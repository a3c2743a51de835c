import { expect, test } from "vitest";
import { lookAlike, packageNamed } from "../../../src/plugins/packages/import-names.ts";
import { readCoreMetadata } from "../../../src/plugins/packages/registry/core-metadata.ts";
import { createRegistryClient } from "../../../src/plugins/packages/registry/registry-client.ts";
import { createFakeRegistry, registryAddress, sha256 } from "./fake-registry.ts";

function open(registries = [registryAddress]) {
  const fake = createFakeRegistry();
  const client = () =>
    createRegistryClient({ guarded: fake.guarded, signal: new AbortController().signal }, registries);
  return { fake, client };
}
const versionsOf = async ({ client }: ReturnType<typeof open>, name = "harbour") =>
  (await client().project(name))?.releases.map(({ version }) => version);

test("a page gives the wheels that run here, with their hash and size; one that is not compiled goes first", async () => {
  const opened = open();
  const { fake } = opened;
  fake.publish({ name: "Harbour", version: "1.0" });
  fake.publish({ name: "Harbour", version: "1.1", tag: "cp314-cp314-manylinux_2_28_x86_64" });
  fake.publish({ name: "Harbour", version: "1.2", tag: "cp314-cp314-pyemscripten_2026_0_wasm32" });
  fake.publish({ name: "Harbour", version: "1.3", tag: "cp314-cp314-pyemscripten_2026_0_wasm32" });
  const { wheel, filename, url } = fake.publish({ name: "Harbour", version: "1.3" });
  const project = await opened.client().project("harbour");
  expect(project?.releases.map(({ version }) => version)).toEqual(["1.0", "1.2", "1.3"]);
  expect(project?.unusable).toBe(1);
  expect(project?.releases[2]).toEqual({
    name: "harbour",
    version: "1.3",
    registry: "registry.example",
    wheel: {
      filename,
      url,
      sha256: sha256(wheel),
      size: wheel.length,
      metadata: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  });
  expect(await opened.client().project("nothing")).toBeUndefined();
});

test.each<[string, Record<string, unknown>]>([
  ["no hash", { hashes: {} }],
  ["a hash of another kind", { hashes: { md5: "0".repeat(32) } }],
  ["withdrawn", { yanked: "broken" }],
  ["for another Python", { "requires-python": "<3.10" }],
  ["an address without encryption", { url: "http://files.registry.example/x.whl" }],
  ["an address of another kind", { url: "file:///etc/passwd" }],
  ["an address with a password", { url: "https://a:b@files.registry.example/x.whl" }],
  ["the file of another package", { filename: "harbour_evil-1.0-py3-none-any.whl" }],
  ["a file with a path", { filename: "../harbour-1.0-py3-none-any.whl" }],
  ["a source archive", { filename: "harbour-1.0.tar.gz" }],
  ["a version that is none", { filename: "harbour-latest-py3-none-any.whl" }],
  ["a size that is none", { size: -1 }],
])("an entry with %s does not count", async (_, entry) => {
  const opened = open();
  opened.fake.publish({ name: "harbour", version: "1.0", entry });
  opened.fake.publish({ name: "harbour", version: "0.9" });
  expect(await versionsOf(opened)).toEqual(["0.9"]);
});

test.each<[string, () => Response, RegExp]>([
  ["no JSON", () => new Response("<html>"), /not the JSON of a Python package registry/],
  [
    "another version of the API",
    () => Response.json({ meta: { "api-version": "2.0" }, name: "harbour" }),
    /not the JSON/,
  ],
  [
    "another package",
    () => Response.json({ meta: { "api-version": "1.0" }, name: "requests", files: [] }),
    /another package than harbour/,
  ],
  ["an error", () => new Response("", { status: 500 }), /registry\.example answered 500/],
  [
    "a redirect to a private address",
    () => Response.redirect("http://10.0.0.1/", 302),
    /10\.0\.0\.1 is not a public address/,
  ],
  ["a redirect to this machine", () => Response.redirect("http://localhost:8080/", 307), /not a public address/],
  ["too much", () => new Response(new Uint8Array(10_000_001)), /more than 10 MB/],
])("a registry that answers with %s is not believed", async (_, answer, expected) => {
  const opened = open();
  opened.fake.served.set(`${registryAddress}harbour/`, answer);
  await expect(opened.client().project("harbour")).rejects.toThrow(expected);
});

test("the first registry that knows a name decides, and one that fails is not passed over", async () => {
  const opened = open(["https://own.example/simple", registryAddress]);
  opened.fake.publish({ name: "harbour", version: "9.9" });
  expect(await versionsOf(opened)).toEqual(["9.9"]);
  opened.fake.served.set("https://own.example/simple/harbour/", () =>
    Response.json({ meta: { "api-version": "1.1" }, name: "Harbour", files: [] }),
  );
  expect(await versionsOf(opened)).toEqual([]);
  opened.fake.served.set("https://own.example/simple/harbour/", () => new Response("", { status: 503 }));
  await expect(versionsOf(opened)).rejects.toThrow("own.example answered 503");
});

test("metadata comes alone where it is offered, else out of the wheel; a lie about it is found", async () => {
  const opened = open();
  const { fake } = opened;
  const headers = ["License-Expression: MIT", "Summary: Berths"];
  fake.publish({ name: "alone", version: "1.0", headers, requires: ["other>=1"] });
  fake.publish({ name: "within", version: "1.0", headers, hasMetadata: false });
  fake.publish({ name: "liar", version: "1.0", entry: { "core-metadata": { sha256: "0".repeat(64) } } });
  fake.publish({ name: "old", version: "1.0", headers: ["Requires-Python: <3.9"] });
  const named = fake.publish({ name: "named", version: "1.0", entry: { "core-metadata": true } });
  fake.files.set(`${named.url}.metadata`, new Uint8Array(Buffer.from("Name: somebody-else\nVersion: 1.0\n\n")));
  const read = async (name: string) => {
    const client = opened.client();
    return client.metadata((await client.project(name))!.releases[0]!);
  };
  expect(await read("alone")).toMatchObject({
    license: "MIT",
    summary: "Berths",
    requires: [{ name: "other", specifier: ">=1" }],
  });
  expect(fake.asked.filter((address) => address.endsWith(".whl"))).toEqual([]);
  expect(await read("within")).toMatchObject({ license: "MIT", requires: [] });
  expect(await read("old")).toBeUndefined();
  await expect(read("liar")).rejects.toThrow("is not the file that files.registry.example promised");
  await expect(read("named")).rejects.toThrow("says that it is somebody-else 1.0");
});

test("core metadata: requirements for here, by part, with markers; the license in one line", () => {
  const read = readCoreMetadata(
    [
      "Metadata-Version: 2.1",
      "Name: Web.Kit",
      "Version: 2.0",
      "Requires-Python: >=3.9",
      "License: BSD License",
      "        with many lines",
      "Requires-Dist: core (>=1)",
      "Requires-Dist: windows-only ; sys_platform == 'win32'",
      "Requires-Dist: older ; python_version < '3.11'",
      "Requires-Dist: h2>=4 ; extra == 'HTTP_2'",
      "Requires-Dist: direct @ https://evil.example/x.whl",
      "",
      "Requires-Dist: not-a-header",
    ].join("\r\n"),
  );
  expect(read).toMatchObject({ name: "Web.Kit", requiresPython: ">=3.9", license: "BSD License" });
  expect(read?.requires).toEqual([
    { name: "core", extras: [], specifier: ">=1" },
    { name: "h2", extras: [], specifier: ">=4", for: "http-2" },
  ]);
  const classified = "Name: a\nVersion: 1\nLicense: UNKNOWN\nClassifier: License :: OSI Approved :: MIT License\n\n";
  expect(readCoreMetadata(classified)?.license).toBeNull();
  expect(readCoreMetadata(classified.replace("License: UNKNOWN\n", ""))?.license).toBe("MIT License");
  expect(readCoreMetadata("Name: a\n\n")).toBeUndefined();
});

test.each([
  ["bs4", "beautifulsoup4"],
  ["PIL", "pillow"],
  ["yaml", "pyyaml"],
  ["google.genai", "google-genai"],
  ["dotenv", "python-dotenv"],
  ["sklearn", "scikit-learn"],
  ["cv2", "opencv-python"],
  ["Some_Package", "some-package"],
])("%s means %s", (name, expected) => {
  expect(packageNamed(name)).toBe(expected);
});

test.each([
  ["reqeusts", "requests"],
  ["request", "requests"],
  ["pydantc", "pydantic"],
  ["beautifulsoup", "beautifulsoup4"],
  ["python-dotnev", "python-dotenv"],
  ["googlegenai", "google-genai"],
  ["requests", undefined],
  ["harbour", undefined],
  ["rich", undefined],
])("%s looks like %s", (name, expected) => {
  expect(lookAlike(name)).toBe(expected);
});
