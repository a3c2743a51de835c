/** Modules that code names in its imports, wherever they stand; for the choice of packages only. */
function importedNames(code: string): string[] {
  const names = new Set<string>();
  for (const [, from, list] of code.matchAll(/^[ \t]*(?:from[ \t]+(\w+)|import[ \t]+([^\n#;]+))/gm)) {
    for (const part of [from, ...(list ?? "").split(",")]) {
      const name = /^\s*(\w+)/.exec(part ?? "")?.[1];
      if (name !== undefined) names.add(name);
    }
  }
  return [...names].slice(0, 100);
}

/**
 * The source of the isolate that a piece of code runs in: a tool that takes the code as an argument, so that nothing of the
 * code is part of the source. Its comment names the code's imports, because the host chooses packages by what a source
 * imports. The code may change all of this in its own isolate, which no other run ever sees: what comes out is checked
 * as something that the code itself says.
 */
export function runnerSource(code: string): string {
  const imports = importedNames(code).map((name) => `import ${name}\n`);
  return `"""Runs code of a person. The code imports:\n${imports.join("")}"""\n${runner}`;
}

const runner = String.raw`
import ast
import asyncio
import base64
import builtins
import importlib
import inspect
import io
import linecache
import logging
import mimetypes
import os
import re
import sys
import time
import traceback
import types
import warnings

from plugin_harness.loop import LOOP

FILE = "code.py"
HOME = "/home/code"
# Bytes of all files that are passed on, and how many of them.
FILES_SIZE = 5_000_000
FILES = 20
OUTPUT = 400_000
# What runs without a pause lets others in so often, in seconds: its stop, the clock and what it printed.
PAUSE = 0.2


class Teller:
    """Passes on what is printed, in pieces."""

    def __init__(self, emit):
        self._emit = emit
        self._parts = []
        self._size = 0
        self._last = time.monotonic()
        # While one waits for the host, what others print waits for its turn.
        self._busy = False

    def add(self, stream, text):
        room = OUTPUT - self._size
        if room <= 0 or not text:
            return
        self._size += len(text)
        if len(text) >= room:
            text = text[:room] + "\n[More output was dropped]\n"
        if self._parts and self._parts[-1][0] == stream:
            self._parts[-1][1] += text
        else:
            self._parts.append([stream, text])
        if time.monotonic() - self._last > PAUSE:
            self.flush()

    def flush(self):
        self._last = time.monotonic()
        if self._busy:
            return
        self._busy = True
        try:
            while self._parts:
                stream, text = self._parts.pop(0)
                LOOP.wait_for(self._emit({"type": "output", "data": {"stream": stream, "text": text}}))
        finally:
            self._busy = False

    async def finish(self):
        while self._busy:
            await asyncio.sleep(0.001)
        self.flush()


class Output(io.TextIOBase):
    encoding = "utf-8"

    def __init__(self, name, teller):
        self._name = name
        self._teller = teller

    def writable(self):
        return True

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._teller.add(self._name, text.encode("utf-8", "replace").decode("utf-8"))
        return len(text)


class Pauses:
    """Lets others in while the code runs without waiting: at every turn of a loop, and at calls, it looks at the clock."""

    def __init__(self, teller):
        self._teller = teller
        self._count = 0
        self._last = time.monotonic()
        self._busy = False

    def __enter__(self):
        watch = sys.monitoring
        watch.use_tool_id(watch.DEBUGGER_ID, "pauses")
        watch.register_callback(watch.DEBUGGER_ID, watch.events.JUMP, self._look)
        watch.register_callback(watch.DEBUGGER_ID, watch.events.PY_START, self._look)
        watch.set_events(watch.DEBUGGER_ID, watch.events.JUMP | watch.events.PY_START)

    def __exit__(self, *_):
        watch = sys.monitoring
        if watch.get_tool(watch.DEBUGGER_ID) == "pauses":
            watch.set_events(watch.DEBUGGER_ID, 0)
            watch.free_tool_id(watch.DEBUGGER_ID)

    def _look(self, code, *_):
        self._count += 1
        if self._count & 0xFF or self._busy or time.monotonic() - self._last < PAUSE:
            return None
        # What runs the code, and the loop that waits, must not wait for themselves: work that the loop is about to take would be lost.
        if re.match(r"<|plugin\.py|.*/(?:asyncio|pyodide|_pyodide|plugin_harness)/", code.co_filename):
            return None
        self._busy = True
        try:
            self._teller.flush()
            LOOP.wait_for(asyncio.sleep(0.001))
        finally:
            self._busy = False
            self._last = time.monotonic()
        return None


def no_input(prompt=""):
    raise EOFError("There is nobody who could answer input(): put the value into the code")


def files_in(folder):
    found = {}
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in names:
            path = os.path.join(place, name)
            if os.path.isfile(path) and not os.path.islink(path):
                about = os.stat(path)
                found[path] = (about.st_size, about.st_mtime_ns)
    return found


def pack_files(before):
    packed, left_out, size = [], [], 0
    for path, state in sorted(files_in(HOME).items()):
        if before.get(path) == state:
            continue
        name = os.path.relpath(path, HOME)
        if len(packed) >= FILES or size + state[0] > FILES_SIZE:
            left_out.append(name)
            continue
        with open(path, "rb") as file:
            content = file.read()
        size += len(content)
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        packed.append({"name": name, "content_type": kind, "base64": base64.b64encode(content).decode()})
    return packed, left_out[:100]


class Plots:
    """Figures of matplotlib, where it is there, become pictures."""

    def __init__(self, code):
        self._count = 0
        self._pyplot = None
        os.environ["MPLBACKEND"] = "Agg"
        if any(name in code for name in ("matplotlib", "seaborn", "pandas", "pylab")):
            try:
                self._pyplot = importlib.import_module("matplotlib.pyplot")
                self._pyplot.show = lambda *_, **__: self.save()
            except ImportError:
                pass

    def save(self):
        pyplot = self._pyplot or sys.modules.get("matplotlib.pyplot")
        if pyplot is None:
            return
        for number in pyplot.get_fignums():
            self._count += 1
            pyplot.figure(number).savefig(os.path.join(HOME, f"plot-{self._count}.png"), format="png", bbox_inches="tight")
        pyplot.close("all")


async def evaluate(tree, mode, scope):
    compiled = compile(tree, FILE, mode, flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    value = eval(compiled, scope)
    return await value if compiled.co_flags & inspect.CO_COROUTINE else value


async def run_code(code):
    linecache.cache[FILE] = (len(code), None, code.splitlines(keepends=True), FILE)
    tree = ast.parse(code, FILE)
    module = types.ModuleType("__main__")
    module.__file__ = FILE
    # Not those of this source, which have an import of their own.
    module.__builtins__ = builtins
    sys.modules["__main__"] = module
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    await evaluate(tree, "exec", module.__dict__)
    if last is None:
        return ""
    return show(await evaluate(ast.Expression(last.value), "eval", module.__dict__))


def show(value):
    """What an interactive session would print; pictures become files."""
    if value is None:
        return ""
    for name, method, mode in (("result.png", "_repr_png_", "wb"), ("result.svg", "_repr_svg_", "w")):
        draw = getattr(value, method, None)
        drawn = draw() if callable(draw) else None
        if drawn:
            with open(os.path.join(HOME, name), mode) as file:
                file.write(drawn)
            return ""
    text = repr(value)
    return text if len(text) <= 50_000 else text[:50_000] + " \u2026"


def explain(error):
    line = error.lineno if isinstance(error, SyntaxError) and error.filename == FILE else None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILE:
            line = trace.tb_lineno
        trace = trace.tb_next
    summary = traceback.TracebackException.from_exception(error, limit=-30)
    for index, frame in enumerate(summary.stack):
        if frame.filename == FILE:
            del summary.stack[:index]
            break
    else:
        summary.stack.clear()
    text = "".join(summary.format()).rstrip()
    name = type(error).__name__
    return {"name": name, "message": str(error)[:10_000], "line": line, "traceback": text[-20_000:]}


class Tools:
    async def run(self, code, files, __event_emitter__=None):
        """Runs the code. :param code: Python :param files: what it may read, as name and base64"""
        os.makedirs(HOME, exist_ok=True)
        os.chdir(HOME)
        sys.path.insert(0, HOME)
        for each in files:
            with open(os.path.join(HOME, os.path.basename(each["name"]) or "file"), "wb") as file:
                file.write(base64.b64decode(each["base64"]))
        before = files_in(HOME)
        teller = Teller(__event_emitter__)
        sys.stdout, sys.stderr = Output("stdout", teller), Output("stderr", teller)
        warnings.resetwarnings()
        for unwanted in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
            warnings.simplefilter("ignore", unwanted)
        logging.captureWarnings(False)
        logging.getLogger().handlers[:] = [logging.StreamHandler(sys.stderr)]
        builtins.input = no_input
        result, error = "", None
        try:
            plots = Plots(code)
            with Pauses(teller):
                result = await run_code(code)
            plots.save()
        except asyncio.CancelledError:
            raise
        except SystemExit as end:
            if end.code not in (None, 0):
                sys.stderr.write(f"{end.code}\n")
        except BaseException as failure:
            error = explain(failure)
        await teller.finish()
        packed, left_out = pack_files(before)
        return {"result": result, "error": error, "files": packed, "left_out": left_out}
`;
