import { describe, expect, it } from "vitest";
import { renderBody, shapeOf } from "../../src/webhooks/shapes.ts";

describe("the shape", () => {
  it.each([
    ["slack", "https://hooks.slack.com/services/T0/B0/x"],
    ["slack", "https://HOOKS.SLACK.COM/services/T0/B0/x"],
    ["discord", "https://discord.com/api/webhooks/1/x"],
    ["discord", "https://discordapp.com/api/webhooks/1/x"],
    ["discord", "https://ptb.discord.com/api/v10/webhooks/1/x"],
    ["teams", "https://harbour.webhook.office.com/webhookb2/x"],
    ["teams", "https://prod-12.westeurope.logic.azure.com:443/workflows/x/triggers/manual/paths/invoke?sig=y"],
    ["teams", "https://default0.1f.environment.api.powerplatform.com:443/powerautomate/automations/direct/workflows/x"],
    ["google_chat", "https://chat.googleapis.com/v1/spaces/A/messages?key=x&token=y"],
    // What only looks like one of them.
    ["generic", "https://hooks.slack.com.harbour.example/services/x"],
    ["generic", "https://harbour.example/https://hooks.slack.com/services"],
    ["generic", "https://harbour.example/?u=webhook.office.com"],
    ["generic", "https://evilwebhook.office.com/x"],
    ["generic", "https://webhook.office.com.harbour.example/x"],
    ["generic", "https://discord.com/invite"],
    ["generic", "https://notdiscord.com/api/webhooks/1/x"],
    ["generic", "https://harbour.example/hook"],
    ["generic", "no address"],
    ["generic", ""],
  ] as const)("%s is that of %s", (shape, url) => {
    expect(shapeOf(url)).toBe(shape);
  });
});

const user = { event: "new_user", user: { email: "ada@harbour.example", name: "Ada <!channel> & <users/all>" } };
const chat = { event: "chat_response", chat: { id: "c1", title: "Tides", last_message: "High at **noon**" } };
const test = { event: "test", message: "This is a test" };

describe("the body", () => {
  it.each([user, chat, test])("of a generic receiver is the contract's", (payload) => {
    expect(renderBody("generic", payload)).toBe(JSON.stringify(payload));
  });

  it("for Slack is a text in which nobody is called", () => {
    expect(JSON.parse(renderBody("slack", user))).toEqual({
      text: "New user\nAda &lt;!channel&gt; &amp; &lt;users/all&gt; (ada@harbour.example)",
    });
    expect(JSON.parse(renderBody("slack", chat))).toEqual({ text: "Finished: Tides\nHigh at **noon**" });
    expect(JSON.parse(renderBody("slack", test))).toEqual({ text: "Test\nThis is a test" });
  });

  it("for Discord has 2,000 characters at most, whole ones", () => {
    const long = { ...chat, chat: { ...chat.chat, last_message: "🌊".repeat(3000) } };
    const { content, allowed_mentions } = JSON.parse(renderBody("discord", long)) as Record<string, unknown>;
    expect((content as string).length).toBeLessThanOrEqual(2000);
    expect(content as string).toMatch(/^Finished: Tides\n🌊+…$/u);
    expect(allowed_mentions).toEqual({ parse: [] });
  });

  it("for Google Chat calls nobody either", () => {
    expect(JSON.parse(renderBody("google_chat", user))).toEqual({
      text: "New user\nAda < !channel> & < users/all> (ada@harbour.example)",
    });
  });

  it("for Teams is an adaptive card, with the event beside it", () => {
    expect(JSON.parse(renderBody("teams", chat))).toMatchObject({
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          content: {
            type: "AdaptiveCard",
            body: [
              { type: "RichTextBlock", inlines: [{ type: "TextRun", text: "Finished: Tides" }] },
              { type: "RichTextBlock", inlines: [{ type: "TextRun", text: "High at **noon**" }] },
            ],
          },
        },
      ],
      ...chat,
    });
  });

  it("survives a payload without what it should have", () => {
    for (const shape of ["slack", "discord", "teams", "google_chat"] as const)
      expect(() => JSON.parse(renderBody(shape, { event: "new_user", user: { name: 3 } })) as unknown).not.toThrow();
  });
});
