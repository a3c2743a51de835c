import { inLanguage } from "../../../languages/app.ts";

/** Texts of the panel of a channel's webhooks. */
export const texts = inLanguage("channels/webhooks", {
  title: "Webhooks",
  lead: "Addresses that let bots and other systems post in this channel. Anyone who has an address can post.",
  add: "New webhook",
  none: "No webhooks yet. Create one to let a script or another system post here.",
  failed: "The webhooks couldn't be loaded",
  lastUsed: "Last used",
  neverUsed: "Never used",
  url: "Address",
  urlHint: "Keep it secret: anyone who has it can post.",
  curl: "Post from a terminal",
  curlHint: "With an Idempotency-Key header, a post that is sent twice appears once.",
  lost: "The address can't be shown because the key that encrypted it is no longer in use. It still works. To see an address, create a new one.",
  example: "Ship **ahoy**",

  tool: "What posts",
  setups: {
    curl: { label: "A script", steps: "Send JSON with the field content, which is Markdown." },
    slack: {
      label: "Slack-compatible",
      steps:
        "Paste the address where the program asks for Slack's incoming webhook. Jenkins, GitLab and Argo CD can do that.",
      example: "With Slack's own client",
    },
    discord: {
      label: "Discord-compatible",
      steps: "Paste the address where the program asks for Discord's webhook.",
    },
    alertmanager: { steps: "Add a receiver to the configuration of Alertmanager, and route alerts to it." },
    grafana: {
      steps:
        "In Grafana, open Alerting, Contact points, add one of the type Webhook, and paste the address as its URL.",
      example: "Or as a file for provisioning",
    },
    uptimeKuma: {
      steps:
        "In Uptime Kuma, open Settings, Notifications, Setup notification. Choose Webhook, paste the address as Post URL, and choose Preset - application/json.",
    },
    github: {
      steps:
        "In the repository, open Settings, Webhooks, Add webhook. Paste the address as Payload URL. Both content types work. Choose the events that you want.",
    },
    titleMessage: {
      label: "Title and message",
      steps:
        "For programs whose body you write yourself, and for those that send a title with a message, such as Apprise and ntfy.",
      example: "Body",
    },
  },

  threads: "Threads",
  threadsHint: "Posts about one alert, pull request or run become a thread. Its first post shows the current state.",

  requests: {
    title: "Latest requests",
    reload: "Reload",
    failed: "The requests couldn't be loaded",
    none: "Nothing has come to this address yet.",
    posted: "Posted",
    repeated: "Sent again",
    refused: (status: number) => `Refused (${status})`,
    unknown: "Unknown form",
  },

  test: "Send a test post",
  testContent: (name: string) => `This is a test of the webhook ${name}.`,
  tested: "The test was posted in the channel.",
  testFailed: "The test couldn't be posted",
  edit: "Change name or picture",
  rotate: "New address",
  remove: "Delete",

  dialog: {
    create: "New webhook",
    edit: "Edit webhook",
    name: "Name",
    nameHint: "Shown above its posts.",
    nameMissing: "Enter a name.",
    editHint: "Earlier posts keep their name and picture. The address stays the same.",
    make: "Create webhook",
    save: "Save",
    makeFailed: "The webhook couldn't be created",
    saveFailed: "The change couldn't be saved",
  },

  askRotate: {
    title: (name: string) => `Replace the address of ${name}?`,
    text: "The current address stops working immediately. Give the new one to everyone who posts with it.",
    action: "Replace address",
    failed: "The address couldn't be replaced",
    done: (name: string) => `${name} has a new address.`,
  },
  askRemove: {
    title: (name: string) => `Delete ${name}?`,
    text: "Its address stops working immediately. Its posts stay in the channel, under “Deleted webhook”.",
    action: "Delete webhook",
    failed: "The webhook couldn't be deleted",
    done: (name: string) => `${name} was deleted.`,
  },
});
