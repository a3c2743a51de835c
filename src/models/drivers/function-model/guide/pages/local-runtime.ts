import type { HelpPage } from "../guide-page.ts";

export const localRuntimePage: HelpPage = {
  title: "Models on your own machine",
  keywords:
    "local runtime ollama llama.cpp own hardware offline gpu pull download 11434 localhost self hosted free without key",
  links: [
    { label: "Connections", path: "/admin/connections" },
    { label: "Local models", path: "/admin/local-models" },
  ],
  sections: [
    {
      heading: "Connect a local runtime",
      text: "Start the runtime (Ollama, for example) and pull a model in it. If it answers on `127.0.0.1:11434`, [Connections](/admin/connections) offers to connect it with one click. Otherwise add a connection of the kind *Local runtime* with its address; no key is needed.",
    },
    {
      heading: "Get and delete models",
      text: "[Local models](/admin/local-models) shows what each runtime holds and has in memory. *Get a model* downloads one, also while you are elsewhere; the menu of a model copies, changes or deletes it.",
    },
    {
      heading: "A runtime on another machine",
      text: "Enter its address, such as `http://192.168.1.20:11434`. The runtime must listen on the network and not only on its own machine (Ollama: `OLLAMA_HOST=0.0.0.0`). Addresses that administrators connect may be private ones.",
    },
    {
      heading: "Local runtimes from the environment",
      text: "`LOCALMODEL_BASE_URLS` (or `OLLAMA_BASE_URLS`) holds their addresses, separated by semicolons. They are shown as locked connections.",
    },
  ],
};
