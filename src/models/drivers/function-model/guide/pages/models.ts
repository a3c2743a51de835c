import type { HelpPage } from "../guide-page.ts";

export const modelsPage: HelpPage = {
  title: "Models",
  keywords:
    "model list picker choose preset custom assistant system prompt temperature parameters hide hidden visible grant access share default",
  links: [{ label: "Models", path: "/admin/models" }],
  sections: [
    {
      heading: "Make a model of your own",
      text: "A made model is a connected model with a name, a description, a picture, a system prompt and parameters such as temperature. Administrators make them under [Models](/admin/models); other people can through the API if they have the permission `workspace.models`. What a request says itself wins over the model's parameters.",
    },
    {
      heading: "Who sees which model",
      text: "Everyone who is signed in sees the models of all connections, unless a model is hidden, switched off or has grants: then those whom the grants name. A made model without grants is seen by its owner and by administrators. With the setting *Who sees models without grants* at administrators, providers' models are for administrators until they are granted.",
    },
    {
      heading: "Hide a model or switch it off",
      text: "Under [Models](/admin/models): a hidden model is not listed; one that is switched off cannot be used by anyone, and neither can what was made of it.",
    },
    {
      heading: "The model of new chats",
      text: "Administrators set it under [Settings](/admin/settings): several ids, separated by commas; the first one that a person may see is taken. The model you choose yourself is remembered.",
    },
  ],
};
