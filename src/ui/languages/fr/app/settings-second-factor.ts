import type { AppTexts } from "../../app-texts.ts";
import { plural } from "../format.ts";

export default {
  title: "Second facteur",
  sub: "Un code d’une application de votre téléphone, en plus de votre mot de passe. Votre mot de passe seul ne suffit alors plus pour se connecter.",
  failed: "Impossible de charger votre second facteur",
  required: {
    title: "Configurer un second facteur",
    sub: "Il est obligatoire pour votre compte. Cela prend une minute, et il vous faut une application d’authentification sur votre téléphone.",
    signOut: "Se déconnecter",
  },
  sso: "Vous vous connectez via votre fournisseur d’identité. C’est lui qui décide de demander un second facteur.",
  app: {
    title: "Application d’authentification",
    off: "Non configurée.",
    on: "La connexion par mot de passe demande un code de l’application.",
    since: "Configurée",
    password: "Votre mot de passe",
    start: "Configurer",
    startFailed: "Impossible de commencer la configuration",
    wrongPassword: "Ce n’est pas votre mot de passe.",
    scan: "Scannez cette image avec votre application d’authentification, puis saisissez le code qu’elle affiche.",
    picture: "Code QR pour votre application d’authentification",
    secret: "Ou saisissez cette clé dans l’application",
    code: "Code",
    codeHint: "Six chiffres.",
    confirm: "Terminer",
    confirmFailed: "Impossible de terminer la configuration",
    wrongCode: "Ce code est incorrect ou a déjà été utilisé. Attendez le suivant.",
    missing: "Saisissez le code.",
    remove: "Retirer",
    removeTitle: "Retirer le second facteur ?",
    removeText: "Votre mot de passe suffit alors de nouveau pour vous connecter.",
    removed: "Le second facteur a été retiré.",
    removeFailed: "Impossible de retirer le second facteur",
    anyCode: "Un code de l’application, ou un code de récupération",
    needed: "Un second facteur est obligatoire pour votre compte : il ne peut pas être retiré.",
  },
  recovery: {
    title: "Codes de récupération",
    left: (count) =>
      count === 0
        ? "Il ne reste aucun code. Créez-en de nouveaux."
        : plural(count, { one: "Il reste un code.", other: "Il reste # codes." }),
    what: "Chacun permet de vous connecter une fois, si vous avez perdu votre téléphone.",
    show: "Gardez ces codes en lieu sûr, par exemple dans un gestionnaire de mots de passe. Ils ne sont affichés qu’une seule fois.",
    codes: "Codes de récupération",
    renew: "Créer de nouveaux codes",
    renewTitle: "Créer de nouveaux codes de récupération ?",
    renewText: "Vos codes actuels cessent de fonctionner.",
    renewFailed: "Impossible de créer les codes",
    saved: "Je les ai enregistrés",
  },
} satisfies AppTexts["settings/second-factor"];
