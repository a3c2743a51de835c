import type { AdminTexts } from "../../admin-texts.ts";
import { de, number, plural } from "../format.ts";

export default {
  invite: "Inviter",
  card: "Invitations",
  table: "Invitations",
  columns: {
    who: "Pour",
    role: "Rôle",
    from: "Invité par",
    ends: "Expiration",
    state: "État",
    actions: "Actions",
  },
  anyone: "Toute personne qui a le lien",
  roles: { user: "Membre", admin: "Administrateur" },
  states: {
    open: "Ouverte",
    void: "Plus valable",
    used: "Utilisée",
    expired: "Expirée",
    revoked: "Révoquée",
  },
  usedBy: (name) => `Utilisée par ${name}`,
  voidHint:
    "Un élément nécessaire à l’invitation a changé : un groupe ou l’organisation n’existe plus, ou la personne qui a invité n’en a plus le droit.",
  failed: "Impossible de charger les invitations",
  takeBack: "Révoquer",
  takeBackOf: (who) => ` l’invitation (${who})`,
  takeBackTitle: "Révoquer l’invitation ?",
  takeBackText: "Son lien cesse immédiatement de fonctionner.",
  takeBackFailed: "Impossible de révoquer l’invitation",
  takenBack: "L’invitation a été révoquée.",
  dialog: {
    title: "Inviter quelqu’un",
    text: "Vous obtenez un lien qui permet de créer un compte. La personne choisit elle-même son nom et son mot de passe.",
    email: "Adresses e-mail (facultatif)",
    emailHint:
      "Chaque adresse reçoit un lien qu’elle seule peut utiliser. Séparez-les par des virgules, des espaces ou des lignes.",
    emailWrong: "Saisissez une adresse e-mail, par exemple ada@harbour.example.",
    tooMany: (most) => `${number.format(most)} adresses au maximum à la fois.`,
    refused: (lines) => `Ces adresses n’ont pas été invitées :\n${lines}`,
    reasons: {
      invalid_email: "pas une adresse e-mail",
      email_taken: "a déjà un compte",
      limit_reached: "vous avez trop d’invitations ouvertes",
    },
    send: "Envoyer le lien par e-mail",
    role: "Rôle",
    organization: "Organisation",
    byRules: "Selon les règles d’affectation",
    groups: "Groupes",
    searchGroups: "Rechercher des groupes",
    chosen: (count) =>
      count === 0 ? "Aucun groupe sélectionné" : plural(count, { one: "# sélectionné", other: "# sélectionnés" }),
    noGroups: "Il n’y a aucun groupe.",
    days: "Le lien expire après",
    dayCount: (count) => plural(count, { one: "# jour", other: "# jours" }),
    action: (count) => (count < 2 ? "Créer l’invitation" : plural(count, { other: "Créer # invitations" })),
    failed: "Impossible de créer l’invitation",
    madeTitle: (count) => plural(count, { one: "L’invitation est prête", other: "# invitations sont prêtes" }),
    sent: (emails) =>
      emails.length === 1
        ? `Un e-mail contenant le lien part à l’adresse ${emails[0]}. Vous pouvez aussi copier le lien.`
        : plural(emails.length, {
            other: "Des e-mails contenant les liens partent à # personnes. Vous pouvez aussi copier les liens.",
          }),
    copy: (count) =>
      count === 1
        ? "Envoyez ce lien à la personne. Il n’est affiché qu’une seule fois, et ne fonctionne qu’une fois."
        : "Envoyez chaque lien à la personne indiquée devant. Les liens ne sont affichés qu’une seule fois, et chacun ne fonctionne qu’une fois.",
    link: (count) => (count === 1 ? "Lien" : "Liens"),
    done: "Terminé",
  },
  reset: {
    action: "Lien pour un nouveau mot de passe",
    title: (name) => `Nouveau mot de passe ${de(name)}`,
    text: "Vous obtenez un lien avec lequel la personne choisit un nouveau mot de passe. Il fonctionne une fois, pendant un jour. Son utilisation met fin à toutes les sessions du compte.",
    make: "Créer le lien",
    failed: "Impossible de créer le lien",
    ready: "Envoyez ce lien à la personne de façon sûre. Il n’est affiché qu’une seule fois.",
    link: "Lien",
    done: "Terminé",
  },
} satisfies AdminTexts["admin/people/invitations"];
