import type { HelpPage } from "../guide-page.ts";

export const providers: HelpPage = {
  title: "Connecting a provider",
  keywords:
    "connect add provider openai api key token url mistral groq openrouter vllm lm studio azure gemini gpt real model endpoint llm ai",
  links: [{ label: "Connections", path: "/admin/connections" }],
  sections: [
    {
      heading: "Connect a model",
      text: "Administrators open [Connections](/admin/connections), choose *Add a connection*, enter the provider's base address (it usually ends in `/v1`, such as `https://api.openai.com/v1`) and the API key, press *Test the connection*, and save. Everyone then finds the provider's models in the model menu above the chat.",
    },
    {
      heading: "Which providers work",
      text: "Anything that speaks the chat-completions API: OpenAI, Mistral, Groq, OpenRouter, vLLM, LM Studio, llama.cpp and many more; and Anthropic, with whatever else speaks its Messages API. Extra request headers can be added for gateways that want more than a key.",
    },
    {
      heading: "Where keys are kept safe",
      text: "Keys and header values are stored encrypted. They are never shown again, not even to administrators: you can only replace or remove them.",
    },
    {
      heading: "Connections from the environment",
      text: "`OPENAI_API_BASE_URLS` and `OPENAI_API_KEYS` hold addresses and keys, separated by semicolons, in the same order; `ANTHROPIC_API_BASE_URLS` and `ANTHROPIC_API_KEYS` do so for providers with a Messages API. Such connections are shown as locked: change the variable and restart to change them.",
    },
    {
      heading: "Two providers with the same model",
      text: "Give one of the connections a prefix: its models are then listed as `prefix.model`. Without one, the connection that was made first keeps the id. A connection can also be limited to chosen models.",
    },
  ],
};
