import type { AppTexts } from "../../app-texts.ts";
import { number, percent, plural } from "../format.ts";

const days = (value: number): string => plural(value, { one: "# jour", other: "# jours" });

export default {
  title: "Vos données",
  sub: "Exporter et importer des discussions, et voir ce que vous partagez.",
  take: {
    title: "Exporter",
    text: "Téléchargez un fichier contenant toutes vos discussions et leurs branches. Vous pouvez l’importer dans Parley ou Open WebUI.",
    action: "Exporter les discussions",
    file: "parley-chats.json",
    notAllowed: "Il vous faut l’autorisation « Exporter des discussions ». Un administrateur peut vous l’accorder.",
  },
  copy: {
    text: "Ou téléchargez tout ce qui vous concerne dans un fichier zip : discussions, fichiers, connaissances, prompts, messages des canaux, utilisation et entrées du journal d’audit. Il ne contient ni mots de passe ni clés. Vous pouvez importer ses discussions ci-dessous, et l’administrateur d’un autre Parley peut importer le reste. Un seul téléchargement à la fois.",
    action: "Télécharger mes données",
    file: "parley-data.zip",
  },
  bring: {
    title: "Importer",
    text: "Un fichier de discussions exporté depuis Parley, Open WebUI ou LibreChat, le fichier zip de vos données dans Parley, ou le fichier zip que ChatGPT ou Claude vous envoie. Les discussions s’ajoutent aux vôtres.",
    action: "Choisir un fichier",
    notAllowed: "Il vous faut l’autorisation « Importer des discussions ». Un administrateur peut vous l’accorder.",
    progress: (name, done) => `${name} : ${percent.format(done)}`,
    stop: "Arrêter",
    stopped: "Arrêté. Les discussions déjà importées sont dans votre liste.",
    failed: "Le fichier n’a pas pu être importé entièrement",
  },
  report: {
    imported: (imported, messages) =>
      `${plural(imported, { one: "# discussion importée", other: "# discussions importées" })}, avec ${plural(messages, { one: "# message", other: "# messages" })}.`,
    nothing: "Le fichier ne contient aucune discussion.",
    incomplete: "Le fichier est incomplet. Tout ce qui précède la partie manquante a été importé.",
    messagesLeftOut: (value) =>
      plural(value, { one: "# message n’a pas pu être lu.", other: "# messages n’ont pas pu être lus." }),
    messagesMoved: (value) =>
      plural(value, {
        one: "# message n’avait pas de message parent et commence maintenant sa propre branche.",
        other: "# messages n’avaient pas de message parent et commencent maintenant leurs propres branches.",
      }),
    filesLeftOut: (value) =>
      plural(value, {
        one: "# fichier ou image n’était pas inclus dans le fichier.",
        other: "# fichiers et images n’étaient pas inclus dans le fichier.",
      }),
    foldersLeftOut: (value) =>
      plural(value, {
        one: "# discussion était dans un dossier et se trouve maintenant dans la liste.",
        other: "# discussions étaient dans des dossiers et se trouvent maintenant dans la liste.",
      }),
    leftOut: (value) => plural(value, { one: "# discussion ignorée :", other: "# discussions ignorées :" }),
    entry: (position, title, reason) => `${title === "" ? `Discussion ${number.format(position)}` : title} : ${reason}`,
    more: (value) => plural(value, { one: "et # autre", other: "et # autres" }),
  },
  kept: {
    title: "Durée de conservation de vos données",
    failed: "Impossible de charger la durée de conservation de vos données",
    forever: "Jusqu’à ce que vous les supprimiez.",
    chats: (value) => `Les discussions sont supprimées ${days(value)} après leur dernière modification.`,
    files: (value) =>
      `Les fichiers sont supprimés ${days(value)} après leur téléversement, sauf s’ils sont dans une discussion, un canal ou une base de connaissances.`,
    channel_messages: (value) => `Les messages des canaux sont supprimés ${days(value)} après leur publication.`,
    logs: (value) =>
      `Les traces de vos appels et les réponses d’API stockées sont supprimées au bout de ${days(value)}.`,
  },
  shared: {
    title: "Discussions partagées",
    none: "Vous n’avez partagé aucune discussion.",
    failed: "Impossible de charger les discussions partagées",
    columns: { title: "Discussion", who: "Qui peut la lire", when: "État", actions: "Actions" },
    who: {
      everyone: "Tout le monde",
      some: "Personnes choisies",
      home: "Tout le monde ici",
      nobody: "Vous uniquement",
    },
    withdraw: "Retirer",
    withdrawOf: (title) => ` le lien de « ${title} »`,
    withdrawn: (title) => `Le lien de « ${title} » a été retiré.`,
    withdrawFailed: "Impossible de retirer le lien",
    more: "Afficher plus",
  },
} satisfies AppTexts["settings/data"];
