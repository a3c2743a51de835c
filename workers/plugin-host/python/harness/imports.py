"""What a source imports and whether it is available, read from its syntax tree before the source runs."""

import ast
import importlib
import importlib.util
import re
import sys

from . import distribution_names, surroundings
from .finder import DISTRIBUTIONS, PINNED, STAND_INS
from .unavailable import MODULES, is_inside

# Modules of Open WebUI's that are built upon a package.
_BUILT_UPON = {"open_webui.internal.db": "sqlalchemy"}
# Compiled packages of which there is only a part here, unless the real one was added.
PARTLY = frozenset({"cryptography"})
# What people write where nothing is required.
_NOTHING = {"none", "null", "n-a", "na", "nothing", "no"}
_CAUGHT = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}


def find_import_problems(tree):
    """@returns problems, and the names of all packages that are imported"""
    problems = []
    packages = set()
    for node, is_late, is_guarded in _imports(tree):
        for problem, package, distribution in _check(node):
            packages.add(package)
            if problem:
                # What stands for a part of Open WebUI, or for a package that can be added, fails when it is used.
                can_wait = is_late or is_guarded or is_inside(package) or distribution is not None
                severity = "warning" if can_wait else "error"
                told = {"severity": severity, "message": problem, "line": node.lineno, "column": node.col_offset + 1}
                problems.append(told if distribution is None else {**told, "package": distribution})
            elif package in surroundings.USELESS:
                problems.append({"severity": "warning", "message": surroundings.USELESS[package], "line": node.lineno, "column": node.col_offset + 1})
    return problems, packages


def guarded_names(tree):
    """Dotted names of what the source imports and has another way for: modules, and what is imported from them."""
    names = set()
    for node, _, is_guarded in _imports(tree):
        if is_guarded and isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif is_guarded and node.module:
            names.update([node.module, *(f"{node.module}.{alias.name}" for alias in node.names)])
    return names


def has_parts(module):
    """Whether what is imported from a module can be missing alone."""
    return module in distribution_names.NAMESPACES or module.partition(".")[0] in PARTLY


def needed_names(tree):
    """Dotted names of modules that the source imports as it is loaded, and has no other way for."""
    names = set()
    for node, is_late, is_guarded in _imports(tree):
        if is_late or is_guarded:
            continue
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif node.level == 0:
            names.add(node.module)
            if has_parts(node.module):
                names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


def _imports(node, is_late=False, is_guarded=False):
    """All imports that may happen, each with whether it happens in a function, and whether its failure is caught."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            yield child, is_late, is_guarded
        elif isinstance(child, ast.Try):
            catches = any(_catches_import_error(handler) for handler in child.handlers)
            yield from _imports(ast.Module(child.body, []), is_late, is_guarded or catches)
            yield from _imports(ast.Module([*child.handlers, *child.orelse, *child.finalbody], []), is_late, is_guarded)
        elif isinstance(child, ast.If) and (_is_type_checking(child.test) or _is_main(child.test)):
            yield from _imports(ast.Module(child.orelse, []), is_late, is_guarded)
        elif isinstance(child, ast.If) and _asks_first(child.test):
            yield from _imports(ast.Module([*child.body, *child.orelse], []), is_late, True)
        elif isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            # Its own function fails when it is called, and the others work.
            yield from _imports(child, True, is_guarded)
        elif isinstance(child, (ast.With, ast.AsyncWith)) and any(_suppresses(item.context_expr) for item in child.items):
            yield from _imports(ast.Module(child.body, []), is_late, True)
        else:
            yield from _imports(child, is_late, is_guarded)


def _catches_import_error(handler):
    if isinstance(handler.body[-1], ast.Raise):
        # It only says it in other words: there is no other way.
        return False
    if handler.type is None:
        return True
    types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return _names_import_error(types)


def _names_import_error(types):
    return any(isinstance(each, ast.Name) and each.id in _CAUGHT for each in types)


def _suppresses(expression):
    """`with suppress(ImportError):`"""
    if not isinstance(expression, ast.Call):
        return False
    name = getattr(expression.func, "id", None) or getattr(expression.func, "attr", None)
    return name == "suppress" and _names_import_error(expression.args)


def _asks_first(test):
    """`if importlib.util.find_spec("x"):`, and names such as HAS_X that were found out before."""
    return any(
        getattr(node, "id", None) == "find_spec" or getattr(node, "attr", None) == "find_spec" for node in ast.walk(test)
    )


def _is_main(test):
    """`if __name__ == "__main__":`"""
    return isinstance(test, ast.Compare) and getattr(test.left, "id", None) == "__name__"


def _is_type_checking(test):
    return getattr(test, "id", None) == "TYPE_CHECKING" or getattr(test, "attr", None) == "TYPE_CHECKING"


def _check(node):
    """@returns what is wrong, the package that is imported, and the distribution that would help, each or None"""
    if isinstance(node, ast.Import):
        for alias in node.names:
            problem, distribution = _missing(alias.name)
            yield problem, alias.name.partition(".")[0], distribution
        return
    if node.level > 0:
        yield "A plugin must be a single file: relative imports are not possible", "", None
        return
    package = node.module.partition(".")[0]
    if node.module in distribution_names.NAMESPACES:
        # Each name is a package of its own: `from google import genai`.
        for alias in node.names:
            problem, distribution = _missing(f"{node.module}.{alias.name}")
            yield problem, package, distribution
        return
    problem, distribution = _missing(node.module)
    yield problem, package, distribution
    needed = _BUILT_UPON.get(node.module)
    if needed is not None and importlib.util.find_spec(needed) is None:
        yield f"{node.module} needs {needed}, which is not available{where_to_get(needed)}", package, distribution_of(needed)
    if problem is None and node.module in STAND_INS:
        module = importlib.import_module(node.module)
        for alias in node.names:
            name = f"{node.module}.{alias.name}"
            # Modules of Open WebUI have every name that somebody asks for.
            has_name = alias.name in vars(module) if is_inside(package) else hasattr(module, alias.name)
            if alias.name != "*" and not has_name and name not in STAND_INS:
                real = distribution_of(package) if package in PARTLY else None
                yield f"{name} is not available{': using it fails' if real or is_inside(package) else ''}", package, real


def _missing(name):
    """@returns what is wrong with importing a module, and the distribution that would help, each or None"""
    package = name.partition(".")[0]
    reason = ""
    try:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is MODULES:
            return f"The module {name} is not available: using it fails", None
        if spec is not None and spec.origin != "unavailable":
            return None, None
    except ModuleNotFoundError as error:
        # A parent that is missing; or one that is there, and lacks something itself.
        if error.name and not (name == error.name or name.startswith(f"{error.name}.")):
            return _lacks(name, error.name)
    except Exception as error:
        reason = f": {type(error).__name__}: {error}"
    is_named = package in distribution_names.NAMESPACES or distribution_names.has_own_name(name)
    if not is_named and package != name and (package in STAND_INS or importlib.util.find_spec(package) is not None):
        return f"The module {name} is not available{reason}", None
    return f"The module {name} is not available{where_to_get(name)}", distribution_of(name)


def _lacks(name, missing):
    return f"The module {name} cannot be imported, because {missing} is not available{where_to_get(missing)}", distribution_of(missing)


def problems_of_broken(broken):
    """@param broken of a plugin that was loaded"""
    for name, missing, line in broken:
        message, distribution = _lacks(name, missing)
        yield {**_problem("warning", message, line), "package": distribution}


def distribution_of(module):
    """The normalized name of the package that most likely has a module; None if there is none that could be added."""
    name = distribution_names.distribution_of(module)
    can_be_added = surroundings.TAKES_PACKAGES and name is not None and len(name) <= 100
    return name if can_be_added and re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) else None


def where_to_get(module):
    """What an administrator can do where a module is missing, as the end of a sentence."""
    name = distribution_names.distribution_of(module)
    return "" if name is None else surroundings.how_to_add(name)


def find_requirement_problems(text, line):
    """@param text value of `requirements:` in the frontmatter"""
    problems = []
    for requirement in re.split(r",(?![^\[]*\])", text):
        requirement = requirement.strip()
        if not requirement:
            continue
        match = re.match(r"([A-Za-z0-9][\w.-]*)\s*(\[[^\]]*\])?\s*\(?([^;)]*)\)?\s*(;.*)?$", requirement)
        if match is None:
            # What is needed to load is told by the import that fails.
            problems.append(_problem("warning", f"requirements: {requirement[:100]!r} is not a package name", line))
            continue
        name = distribution_names.normalize(match[1])
        if name not in _NOTHING and name.replace("-", "_") not in sys.stdlib_module_names:
            problems.extend(_check_requirement(name, match[3].strip(), line))
    return problems


def _check_requirement(name, specifier, line):
    uploaded = _uploaded_version(name)
    if name in DISTRIBUTIONS and (uploaded is None or name.replace("-", "_") in PINNED):
        if not _satisfies(DISTRIBUTIONS[name], specifier):
            yield _problem(
                "warning", f"requirements: {name}{specifier} was requested; version {DISTRIBUTIONS[name]} is built in", line
            )
        return
    # What is needed to load is told by the import that fails; the rest may never be used.
    if uploaded is None:
        if importlib.util.find_spec(name.replace("-", "_")) is None:
            yield _missing_package(name, f"requirements: {name} is not available{where_to_get(name)}", line)
    elif not _satisfies(uploaded, specifier):
        yield _problem("warning", f"requirements: {name}{specifier} was requested, but version {uploaded} {surroundings.GIVEN}", line)


def _problem(severity, message, line):
    return {"severity": severity, "message": message, "line": line}


def _missing_package(name, message, line):
    problem = _problem("warning", message, line)
    return {**problem, "package": name} if surroundings.TAKES_PACKAGES else problem


def _uploaded_version(name):
    for distribution in surroundings.added_packages():
        if re.sub(r"[-_.]+", "-", distribution.metadata["Name"] or "").lower() == name:
            return distribution.version
    return None


def find_missing_parts():
    """Packages that uploaded ones say they need, and that are not there."""
    for distribution in surroundings.added_packages():
        for requirement in distribution.requires or []:
            if ";" in requirement:
                # For other systems, older versions of Python, or extras.
                continue
            match = re.match(r"\s*([\w.-]+)", requirement)
            name = re.sub(r"[-_.]+", "-", match[1]).lower()
            if _uploaded_version(name) is None and name not in DISTRIBUTIONS:
                message = f"The package {distribution.metadata['Name']} needs {requirement}, which has not been uploaded"
                yield _missing_package(name, message, 1)


def _satisfies(version, specifier):
    have = _release(version)
    for part in filter(None, (each.strip() for each in specifier.split(","))):
        match = re.match(r"(~=|===?|!=|<=|>=|<|>)\s*([\w.*+!-]+)$", part)
        if match is None:
            continue
        operator, text = match.groups()
        want = _release(text.rstrip(".*"))
        size = max(len(have), len(want))
        a, b = _pad(have, size), _pad(want, size)
        if operator in ("==", "===", "!="):
            equal = have[: len(want)] == want if text.endswith("*") else a == b
            if equal == (operator == "!="):
                return False
        elif operator == "~=":
            if a < b or have[: len(want) - 1] != want[:-1]:
                return False
        elif not {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[operator]:
            return False
    return True


def _release(version):
    return [int(part) for part in re.match(r"v?(?:\d+!)?([\d.]*)", version)[1].split(".") if part]


def _pad(release, size):
    return release + [0] * (size - len(release))
