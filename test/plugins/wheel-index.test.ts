import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluateMarker } from "../../src/plugins/packages/environment-marker.ts";
import { indexWheel } from "../../src/plugins/packages/wheel-index.ts";
import { findNeeded } from "../../workers/plugin-host/python/select-packages.ts";

describe("environment markers", () => {
  it.each([
    ['python_version < "3.11"', false],
    ['python_version >= "3.9"', true],
    ["python_version ~= '3.10'", true],
    ['python_version == "3.*"', true],
    ['python_version != "3.14"', false],
    ['python_full_version <= "3.14.10"', true],
    ['sys_platform == "win32"', false],
    ['sys_platform != "win32" and platform_python_implementation == "CPython"', true],
    ['platform_system == "Windows" or (os_name == "posix" and python_version > "3")', true],
    ['"linux" in sys_platform', false],
    ['sys_platform not in "win32 darwin"', true],
    ['os.name == "nt"', false],
    ['python_version < "3.11" or python_version >= "3.14" and sys_platform == "emscripten"', true],
    // What cannot be read may apply.
    ["python_version <", true],
    ["somewhere == 'else'", true],
    ["(sys_platform == 'win32'", true],
    ["", true],
  ])("%s: %s", (marker, expected) => {
    expect(evaluateMarker(marker, "")).toBe(expected);
  });

  it("know the optional part that is asked for", () => {
    expect(evaluateMarker('extra == "http2"', "http2")).toBe(true);
    expect(evaluateMarker('extra == "http2"', "")).toBe(false);
    expect(evaluateMarker('python_version < "3" and extra == "http2"', "http2")).toBe(false);
  });

  it("never throw", () => {
    const token = fc.constantFrom(
      "(",
      ")",
      "and",
      "or",
      "not",
      "in",
      "==",
      "<",
      '"3.9"',
      "python_version",
      "extra",
      "x",
    );
    fc.assert(
      fc.property(fc.array(token), fc.string(), (tokens, extra) => {
        expect(typeof evaluateMarker(tokens.join(" "), extra)).toBe("boolean");
      }),
    );
  });
});

const metadata = (...requires: string[]) =>
  [
    "Metadata-Version: 2.4",
    "Name: a",
    ...requires.map((line) => `Requires-Dist: ${line}`),
    "",
    "Requires-Dist: text",
  ].join("\r\n");

describe("the index of a wheel", () => {
  it("names what can be imported, and shared namespaces only by what is the wheel's own in them", () => {
    const { modules } = indexWheel(
      [
        "bs4/__init__.py",
        "bs4/builder/_lxml.py",
        "google/genai/__init__.py",
        "google/genai/types.py",
        "google/rpc/status_pb2.py",
        "six.py",
        "_cffi.cpython-314-wasm32-emscripten.so",
        "speed/__init__.abi3.so",
        "a-1.0.data/purelib/late/__init__.py",
        "a-1.0.data/scripts/run.py",
        "a-1.0.dist-info/METADATA",
        "bs4/py.typed",
        "not-a-module/x.py",
      ],
      metadata(),
    );
    expect(modules).toEqual(["_cffi", "bs4", "google.genai", "google.rpc.status_pb2", "late", "six", "speed"]);
  });

  it("names what it needs here, with optional parts", () => {
    const { requires } = indexWheel(
      [],
      metadata(
        "Typing_Extensions>=4.12",
        "anyio<5,>=3.5.0",
        'exceptiongroup>=1.0; python_version < "3.11"',
        "httpx[http2,socks] (>=0.23)",
        'h2<5,>=3; extra == "http2"',
        'colorama; sys_platform == "win32" and extra == "cli"',
        "-e bad",
      ),
    );
    expect(requires).toEqual([
      { name: "typing-extensions" },
      { name: "anyio" },
      { name: "httpx", extras: ["http2", "socks"] },
      { name: "h2", for: "http2" },
    ]);
  });
});

describe("the packages that a source needs", () => {
  const wheel = (
    name: string,
    modules: string[],
    requires: { name: string; extras?: string[]; for?: string }[] = [],
  ) => ({
    name,
    version: "1.0",
    contents: { modules, requires },
  });
  const offered = [
    wheel("beautifulsoup4", ["bs4"], [{ name: "soupsieve" }]),
    wheel("soupsieve", ["soupsieve"]),
    wheel("google-genai", ["google.genai"], [{ name: "google-auth", extras: ["requests"] }]),
    wheel(
      "google-auth",
      ["google.auth"],
      [
        { name: "cachetools", for: "requests" },
        { name: "aio", for: "aiohttp" },
      ],
    ),
    wheel("google-cloud-storage", ["google.cloud.storage"]),
    wheel("cachetools", ["cachetools"]),
    wheel("aio", ["aio"]),
    wheel("requests", ["requests"]),
    wheel("os-tools", ["os_tools"]),
    wheel("loop-a", ["loop_a"], [{ name: "loop-b" }]),
    wheel("loop-b", ["loop_b"], [{ name: "loop-a" }]),
  ];
  const needed = (source: string) =>
    findNeeded(source, offered)
      .map(({ name }) => name)
      .sort();

  it.each([
    ["import os, sys\nimport json", []],
    ["from bs4 import BeautifulSoup", ["beautifulsoup4", "soupsieve"]],
    ["import bs4.element as e", ["beautifulsoup4", "soupsieve"]],
    ['"""\nrequirements: beautifulsoup4>=4, nothing\n"""', ["beautifulsoup4", "soupsieve"]],
    ["from google import genai", ["cachetools", "google-auth", "google-genai"]],
    ["from google.genai import types", ["cachetools", "google-auth", "google-genai"]],
    ["from google import (\n  genai,  # the new one\n  other\n)", ["cachetools", "google-auth", "google-genai"]],
    ["import google.cloud.storage", ["google-cloud-storage"]],
    ["import google", []],
    ['"""\nrequirements: google-auth[aiohttp]\n"""', ["aio", "google-auth"]],
    ["def f():\n    import cachetools", ["cachetools"]],
    ["import requests", []],
    ["import loop_a", ["loop-a", "loop-b"]],
  ])("%s", (source, expected) => {
    expect(needed(source)).toEqual(expected);
  });
});
