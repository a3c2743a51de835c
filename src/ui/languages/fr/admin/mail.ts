import type { AdminTexts } from "../../admin-texts.ts";
import { plural } from "../format.ts";

export default {
  title: "E-mail",
  sub: "Le serveur de messagerie qui envoie les invitations et les liens pour un nouveau mot de passe. Sans lui, les administrateurs copient ces liens.",
  on: "Les e-mails sont envoyés.",
  off: "Aucun e-mail n’est envoyé : définissez un serveur de messagerie et un expéditeur.",
  pending: (count) =>
    plural(count, { one: "# e-mail est en attente d’envoi.", other: "# e-mails sont en attente d’envoi." }),
  failed: "Impossible de charger les paramètres",
  stateFailed: "Impossible de charger l’état",
  server: { title: "Serveur de messagerie", sub: "Enregistrez avant de tester." },
  password: {
    title: "Mot de passe",
    sub: "Pour le nom d’utilisateur ci-dessus. Il est stocké chiffré et n’est jamais affiché.",
    label: "Mot de passe",
    set: "Un mot de passe est stocké. Saisissez-en un nouveau pour le remplacer.",
    none: "Aucun mot de passe n’est stocké.",
    locked: "Défini par l’environnement (SMTP_PASSWORD).",
    save: "Enregistrer le mot de passe",
    remove: "Retirer le mot de passe",
    saved: "Le mot de passe a été enregistré.",
    removed: "Le mot de passe a été retiré.",
    failed: "Impossible d’enregistrer le mot de passe",
    changes: "mot de passe",
  },
  test: {
    title: "Test",
    sub: "Envoie un e-mail maintenant, avec les paramètres enregistrés.",
    to: "Destinataire",
    action: "Envoyer un e-mail de test",
    wrong: "Saisissez une adresse e-mail, par exemple ada@harbour.example.",
    failed: "Impossible d’effectuer le test",
    sent: (to) =>
      `Le serveur de messagerie a accepté le message pour ${to}. Vérifiez la boîte de réception, ainsi que le dossier des indésirables.`,
    notSent: "L’e-mail n’a pas été envoyé",
    conversation: "L’échange complet",
    parley: "Parley",
    server: "Serveur",
  },
  failures: {
    title: "Non envoyés",
    sub: "E-mails des sept derniers jours dont l’envoi a été abandonné.",
    kinds: { invitation: "Invitation", password_reset: "Nouveau mot de passe" },
  },
} satisfies AdminTexts["admin/mail"];
