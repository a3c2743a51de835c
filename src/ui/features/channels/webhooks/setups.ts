import { curlLine } from "./curl-line.ts";
import { texts } from "./texts.ts";
import type { TestPost } from "./webhooks.ts";

/** How a tool is set up to post, with a post as it sends it. */
export interface Setup {
  id: string;
  label: string;
  /** Where the address belongs. */
  steps: string;
  suffix: TestPost["suffix"];
  /** What is pasted, with what it is. */
  example?: { label: string; text: (address: string) => string; hint?: string };
  /** @param now epoch milliseconds, so that two tests are two things */
  test: (name: string, now: number) => Omit<TestPost, "suffix">;
}

const words = texts.setups;

/** The alerts of Alertmanager and Grafana have the same form but for a few fields. */
function testAlerts(name: string, now: number): Record<string, unknown> {
  const labels = { alertname: "ParleyTest", severity: "info", instance: "test.example" };
  const annotations = { summary: texts.testContent(name) };
  return {
    receiver: "parley",
    status: "firing",
    alerts: [
      {
        status: "firing",
        labels,
        annotations,
        startsAt: new Date(now).toISOString(),
        endsAt: "0001-01-01T00:00:00Z",
        generatorURL: "",
        fingerprint: now.toString(16),
      },
    ],
    groupLabels: { alertname: "ParleyTest" },
    commonLabels: labels,
    commonAnnotations: annotations,
    externalURL: "",
    groupKey: `{}:{test="${now}"}`,
    truncatedAlerts: 0,
  };
}

export const setups: readonly Setup[] = [
  {
    id: "curl",
    label: words.curl.label,
    steps: words.curl.steps,
    suffix: "",
    example: {
      label: texts.curl,
      text: (address) => curlLine(address, texts.example),
      hint: texts.curlHint,
    },
    test: (name) => ({ body: { content: texts.testContent(name) } }),
  },
  {
    id: "slack",
    label: words.slack.label,
    steps: words.slack.steps,
    suffix: "/slack",
    example: {
      label: words.slack.example,
      text: (address) =>
        `import { IncomingWebhook } from "@slack/webhook";\n\nawait new IncomingWebhook("${address}").send({ text: "Ship *ahoy*" });`,
    },
    test: (name) => ({
      body: {
        username: "Slack",
        icon_emoji: ":anchor:",
        attachments: [
          {
            color: "good",
            title: "Test",
            text: texts.testContent(name),
            fields: [
              { title: "Form", value: "*Slack*", short: true },
              { title: "Address", value: "`/slack`", short: true },
            ],
          },
        ],
      },
    }),
  },
  {
    id: "discord",
    label: words.discord.label,
    steps: words.discord.steps,
    suffix: "",
    test: (name) => ({
      body: {
        username: "Discord",
        embeds: [
          {
            title: "Test",
            description: texts.testContent(name),
            color: 0x5865f2,
            fields: [{ name: "Form", value: "**Discord**", inline: true }],
          },
        ],
      },
    }),
  },
  {
    id: "alertmanager",
    label: "Alertmanager",
    steps: words.alertmanager.steps,
    suffix: "",
    example: {
      label: "alertmanager.yml",
      text: (address) =>
        `receivers:\n  - name: parley\n    webhook_configs:\n      - url: "${address}"\n        send_resolved: true\nroute:\n  receiver: parley\n  group_by: [alertname]`,
    },
    test: (name, now) => ({ body: { ...testAlerts(name, now), version: "4" } }),
  },
  {
    id: "grafana",
    label: "Grafana",
    steps: words.grafana.steps,
    suffix: "",
    example: {
      label: words.grafana.example,
      text: (address) =>
        `apiVersion: 1\ncontactPoints:\n  - orgId: 1\n    name: Parley\n    receivers:\n      - uid: parley\n        type: webhook\n        settings:\n          url: "${address}"`,
    },
    test: (name, now) => ({
      body: { ...testAlerts(name, now), orgId: 1, version: "1", title: "[FIRING:1] ParleyTest", state: "alerting" },
    }),
  },
  {
    id: "uptime-kuma",
    label: "Uptime Kuma",
    steps: words.uptimeKuma.steps,
    suffix: "",
    test: (name, now) => ({
      body: {
        heartbeat: {
          monitorID: `test ${now}`,
          status: 1,
          time: new Date(now).toISOString(),
          msg: texts.testContent(name),
          ping: 12,
        },
        monitor: { name: "Test", type: "http", url: "https://example.com/" },
        msg: "[Test] Up",
      },
    }),
  },
  {
    id: "github",
    label: "GitHub",
    steps: words.github.steps,
    suffix: "/github",
    test: (name) => ({
      headers: { "x-github-event": "ping" },
      body: { zen: texts.testContent(name), hook: { type: "Repository", events: ["push", "pull_request"] } },
    }),
  },
  {
    id: "title-message",
    label: words.titleMessage.label,
    steps: words.titleMessage.steps,
    suffix: "",
    example: {
      label: words.titleMessage.example,
      text: () =>
        JSON.stringify({
          title: "Backup",
          message: "The backup is **done**",
          type: "success",
          url: "https://nas.example/",
        }),
    },
    test: (name) => ({ body: { title: "Test", message: texts.testContent(name), type: "success" } }),
  },
];
