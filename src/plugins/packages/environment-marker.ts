/** What plugins run on, by the variables of markers (dependency specifiers of PyPA, "Environment Markers"). */
const environment: Readonly<Record<string, string>> = {
  os_name: "posix",
  sys_platform: "emscripten",
  platform_machine: "wasm32",
  platform_system: "Emscripten",
  platform_release: "",
  platform_version: "",
  platform_python_implementation: "CPython",
  implementation_name: "cpython",
  implementation_version: "3.14.2",
  python_version: "3.14",
  python_full_version: "3.14.2",
};

/**
 * Whether a requirement applies here.
 *
 * @param marker the text behind its semicolon, such as `python_version < "3.11" and extra == "http2"`
 * @param extra the optional part that is asked for; "" for none
 * @returns true as well for a marker that cannot be read: a package too many does no harm
 */
export function evaluateMarker(marker: string, extra: string): boolean {
  const tokens = marker.match(/"[^"]*"|'[^']*'|[()]|[=!<>~]+|[\w.]+/g) ?? [];
  let at = 0;
  const take = () => tokens[at++] ?? "";

  function readValue(): { text: string; isVersion: boolean } {
    const token = take();
    if (/^["']/.test(token)) return { text: token.slice(1, -1), isVersion: false };
    const name = token.replaceAll(".", "_");
    const text = name === "extra" ? extra : environment[name];
    if (text === undefined) throw new SyntaxError(`Unknown variable ${token}`);
    return { text, isVersion: name.endsWith("version") && name !== "platform_version" };
  }
  function readComparison(): boolean {
    if (tokens[at] === "(") {
      at += 1;
      const value = readAny();
      if (take() !== ")") throw new SyntaxError("A parenthesis is not closed");
      return value;
    }
    const left = readValue();
    let operator = take();
    if (operator === "not") operator = `not ${take()}`;
    const right = readValue();
    if (operator === "in") return right.text.includes(left.text);
    if (operator === "not in") return !right.text.includes(left.text);
    return compare(left.text, operator, right.text, left.isVersion || right.isVersion);
  }
  function readAll(): boolean {
    let value = readComparison();
    while (tokens[at] === "and") {
      at += 1;
      value = readComparison() && value;
    }
    return value;
  }
  function readAny(): boolean {
    let value = readAll();
    while (tokens[at] === "or") {
      at += 1;
      value = readAll() || value;
    }
    return value;
  }
  try {
    const value = readAny();
    return at === tokens.length ? value : true;
  } catch {
    return true;
  }
}

function compare(left: string, operator: string, right: string, isVersion: boolean): boolean {
  const order = isVersion ? compareVersions(left, right) : left < right ? -1 : left > right ? 1 : 0;
  switch (operator) {
    case "==":
    case "===":
      return isVersion && right.endsWith(".*") ? `${left}.`.startsWith(right.slice(0, -1)) : order === 0;
    case "!=":
      return isVersion && right.endsWith(".*") ? !`${left}.`.startsWith(right.slice(0, -1)) : order !== 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
    case "~=":
      return order >= 0 && left.startsWith(right.replace(/\d+$/, ""));
    default:
      throw new SyntaxError(`Unknown operator ${operator}`);
  }
}

function compareVersions(left: string, right: string): number {
  const [a, b] = [left, right].map((version) => version.split(".").map((part) => Number.parseInt(part, 10) || 0));
  for (let index = 0; index < Math.max(a!.length, b!.length); index++) {
    const difference = (a![index] ?? 0) - (b![index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
