import { createApp } from "../../src/app.ts";
import { createRouters } from "../../src/compose/routes.ts";
import { plain, table } from "./table.ts";

/** Headings of the page and the paths below them; the first that fits counts. */
const groups: readonly [heading: string, paths: RegExp][] = [
  [
    "Health and configuration",
    /^\/(health|ready|metrics|docs|openapi\.json)|^\/api\/(version|config)$|\/admin\/(config|history)|\/configs\/banners$/,
  ],
  [
    "Chat completions, messages and responses",
    /^\/api\/(v1\/)?(chat\/|messages?(\/|$)|responses|embeddings)|^\/api\/tasks/,
  ],
  ["Models", /^\/api\/(v1\/)?models/],
  ["Connections", /^\/api\/v1\/connections/],
  ["Local runtimes", /^\/(localmodel|api\/v1\/local-models)/],
  ["Chats and folders", /^\/api\/v1\/(chats|folders)/],
  ["Ratings of answers", /^\/api\/v1\/evaluations/],
  ["Files, pictures and storage", /^\/api\/v1\/(files|images|storage)/],
  ["Knowledge and search", /^\/api\/v1\/(knowledge|retrieval)/],
  ["Voice", /^\/api\/(v1\/)?audio/],
  ["Memories", /^\/api\/v1\/memories/],
  ["Running code", /^\/api\/v1\/utils\/code/],
  ["Prompts", /^\/api\/v1\/prompts/],
  ["Functions and tools", /^\/api\/v1\/(functions|tools|plugins|tool-servers)|^\/oauth\/tools/],
  ["Channels", /^\/api\/v1\/channels/],
  ["Webhooks, e-mail and events", /^\/api\/v1\/(webhooks|mail|notifications|events)/],
  ["API keys", /^\/api\/v1\/auths\/(admin\/)?api_key/],
  ["Sign-in and your account", /^\/(oauth|api\/v1\/auths)/],
  [
    "Data retention and erasure",
    /^\/api\/v1\/(retention|data-copy|erasures|legal-holds|users\/\{id\}\/(data-copy|erasure)|organizations\/\{id\}\/retention)/,
  ],
  ["People, groups and organizations", /^\/api\/v1\/(users|groups|organizations|landing-rules|invitations)/],
  ["Moving in", /^\/api\/v1\/imports/],
  ["Moving out", /^\/api\/v1\/exports/],
  ["Commands of the operator", /^\/api\/v1\/operator/],
  ["Provisioning (SCIM)", /^\/api\/v1\/scim/],
  ["Disk and backups", /^\/api\/v1\/machine/],
  ["Usage, quotas and audit", /^\/api\/(usage|v1\/(usage|quotas|audit))/],
];

interface Endpoint {
  method: string;
  path: string;
  summary: string;
}

/** Every endpoint with its summary, one table for each group. */
export function endpointTables(): string {
  const all = listEndpoints();
  const tables = groups.map(([heading, paths]) => {
    const rows = all.filter(({ path }) => groups.find(([, own]) => own.test(path))?.[1] === paths);
    return `## ${heading}\n\n${table(["method", "path", "purpose"], rows.map(rowOf))}`;
  });
  const missing = all.filter(({ path }) => !groups.some(([, paths]) => paths.test(path)));
  if (missing.length > 0) throw new Error(`No heading for ${missing.map(({ path }) => path).join(", ")}`);
  return tables.join("\n\n");
}

function rowOf({ method, path, summary }: Endpoint): string[] {
  return [method, `\`${path}\``, plain(summary)];
}

function listEndpoints(): Endpoint[] {
  const document = createApp(createRouters()).getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "Parley", version: "1" },
  });
  const described = Object.entries(document.paths ?? {}).flatMap(([path, operations]) =>
    Object.entries(operations as Record<string, { summary?: string }>).map(([method, { summary = "" }]) => ({
      method: method.toUpperCase(),
      path,
      summary,
    })),
  );
  const paths = new Set(described.map(({ path }) => path));
  const isRepeated = (path: string) =>
    path.startsWith("/ollama/") || (path.endsWith("/") && paths.has(path.replace(/\/$/, "")));
  return [
    ...described.filter(({ path }) => !isRepeated(path)),
    { method: "GET", path: "/docs", summary: "The API documentation, with ENV=dev" },
    { method: "GET", path: "/openapi.json", summary: "The API documentation for programs, with ENV=dev" },
  ];
}
