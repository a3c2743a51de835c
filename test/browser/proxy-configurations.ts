import { readBlocks, readText } from "../docs/read-blocks.ts";

export const proxyNames = ["nginx", "Apache", "Caddy", "Traefik"] as const;
export type ProxyName = (typeof proxyNames)[number];

/** As on the page, the same below BASE_PATH, or with nothing but the address of Parley, over https or http. */
export type Variant = "documented" | "below a path" | "stock" | "stock, http";

const page = "docs/proxies.md";
const languages = { nginx: "nginx", apache: "Apache", caddyfile: "Caddy", yaml: "Traefik" } as const;

/** The blocks of the page, of each proxy in their order. */
const blocks = Object.groupBy(
  readBlocks(page).filter(({ language }) => language in languages),
  ({ language }) => languages[language as keyof typeof languages],
);

function blockOf(name: ProxyName, at = 0): string {
  const block = blocks[name]?.[at];
  if (block === undefined) throw new Error(`${page} has no configuration of ${name}`);
  return block.text;
}

/** What the table about the base path has in code marks, in the row of a proxy. */
function codeBelowPath(name: ProxyName): string[] {
  const [, section = ""] = readText(page).split("## Below a path\n");
  const row = section.split("\n").find((line) => line.startsWith(`| ${name} |`)) ?? "";
  return [...row.matchAll(/(`+)(.+?)\1(?!`)/g)].map((found) => found[2]!);
}

/** @throws Error where the text has nothing to replace */
export function replace(text: string, ...changes: readonly (readonly [from: string | RegExp, to: string])[]): string {
  return changes.reduce((text, [from, to]) => {
    const changed = text.replaceAll(from, () => to);
    if (changed === text) throw new Error(`There is no ${String(from)} in:\n${text}`);
    return changed;
  }, text);
}

/** With one line about Parley. Caddy and Traefik have no more on the page. */
const stock: Partial<Record<ProxyName, string>> = {
  nginx: `server {
  listen 443 ssl;
  server_name parley.example.com;
  location / {
    proxy_pass http://127.0.0.1:8080;
  }
}
`,
  Apache: `<VirtualHost *:443>
  ServerName parley.example.com
  SSLEngine on
  ProxyPass / http://127.0.0.1:8080/
</VirtualHost>
`,
};

/** The timeouts of Traefik, whose static configuration is a file of its own. */
export const traefikEntryPoints = () => blockOf("Traefik", 1);

export function configurationOf(name: ProxyName, variant: Variant): string {
  if (variant.startsWith("stock")) {
    const text = stock[name] ?? blockOf(name);
    return variant === "stock, http" ? replace(text, [/ ssl;|\n {2}SSLEngine on/g, name === "nginx" ? ";" : ""]) : text;
  }
  const text = blockOf(name);
  if (variant === "documented") return text;
  const [first = "", second = ""] = codeBelowPath(name);
  switch (name) {
    case "nginx":
      return replace(text, ["location / {", `${second}\n  ${first} {`]);
    case "Apache":
      return replace(text, [/ProxyPass .*/g, first]);
    case "Caddy":
      return replace(text, [/reverse_proxy .*/g, first]);
    case "Traefik":
      return replace(text, [/rule: .*/g, first]);
  }
}
