import type { AppTexts } from "../../app-texts.ts";
import { locale } from "../../locale.ts";
import { de } from "../format.ts";

export default {
  signIn: {
    title: "Se connecter",
    action: "Se connecter",
    other: "Première visite ?",
    otherAction: "Créer un compte",
    failed: "Échec de la connexion",
    wrong: "Adresse e-mail ou mot de passe incorrect.",
    closed: "La connexion par mot de passe est désactivée. Demandez à votre administrateur comment vous connecter.",
    signedOut: "Vous êtes déconnecté.",
    newPassword: "Votre nouveau mot de passe est défini. Utilisez-le pour vous connecter.",
    forgotten: "Mot de passe oublié ?",
  },
  signUp: {
    title: "Créer votre compte",
    first: "Créer le premier compte",
    firstSub: "Ce sera le compte administrateur.",
    action: "Créer le compte",
    other: "Vous avez déjà un compte ?",
    otherAction: "Se connecter",
    failed: "Impossible de créer votre compte",
    closed:
      "Seuls les administrateurs peuvent créer des comptes. Adressez-vous à l’un d’eux, ou connectez-vous si vous avez un compte.",
  },
  /** Where signing in with the password asks for a second factor. */
  code: {
    text: "Saisissez le code de votre application d’authentification, ou l’un de vos codes de récupération.",
    label: "Code",
    missing: "Saisissez le code.",
    wrong: "Ce code est incorrect ou a déjà été utilisé. Attendez le suivant.",
    back: "Utiliser un autre compte",
  },
  passkey: {
    action: "Se connecter avec une clé d’accès",
    use: "Utiliser une clé d’accès",
    orCode:
      "Confirmez avec une clé d’accès, ou saisissez un code de votre application d’authentification ou l’un de vos codes de récupération.",
    orRecovery: "Confirmez avec une clé d’accès, ou saisissez l’un de vos codes de récupération.",
    recoveryOnly:
      "Les clés d’accès ne fonctionnent pas dans ce navigateur ou à cette adresse. Saisissez l’un de vos codes de récupération.",
    wrong: "Cette clé d’accès ne fonctionne pas ici. Elle a peut-être été retirée. Connectez-vous autrement.",
    cancelled: "Rien n’a été confirmé. Réessayez, ou connectez-vous autrement.",
    unusable: "La clé d’accès ne fonctionne pas dans ce navigateur ou à cette adresse. Connectez-vous autrement.",
  },
  join: {
    title: "Rejoindre",
    from: (name) => `${name} vous invite à créer un compte.`,
    fromTo: (name, organization) => `${name} vous invite à rejoindre ${organization}.`,
    action: "Créer le compte",
    failed: "Impossible de créer votre compte",
    loading: "Chargement de l’invitation",
    noToken: "Cette adresse est incomplète. Ouvrez le lien entier de l’invitation.",
    overTitle: "Cette invitation ne peut pas être utilisée",
    lookFailed: "Impossible de charger l’invitation",
    onlyFor: "L’invitation est destinée à cette adresse.",
    signedInAs: (email) => `Compte connecté : ${email}. Déconnectez-vous d’abord pour créer un autre compte.`,
    toApp: "Ouvrir Parley",
    noWay: "Aucun moyen de connexion n’est activé. Adressez-vous à votre administrateur.",
  },
  forgotten: {
    title: "Mot de passe oublié ?",
    sub: "Saisissez votre adresse e-mail. Si elle correspond à un compte avec un mot de passe, vous recevrez un lien pour en choisir un nouveau.",
    action: "Envoyer le lien",
    failed: "Impossible d’envoyer le lien",
    sent: (email) =>
      `Si un compte avec un mot de passe existe pour ${email}, un e-mail contenant un lien est en route. Le lien fonctionne pendant une heure.`,
    off: "Aucun e-mail ne peut être envoyé d’ici. Demandez à un administrateur un lien pour choisir un nouveau mot de passe.",
    back: "Retour à la connexion",
  },
  newPassword: {
    title: "Choisir un nouveau mot de passe",
    sub: (email) => `Pour ${email}. Toutes les sessions du compte prennent fin.`,
    field: "Nouveau mot de passe",
    action: "Définir le mot de passe",
    failed: "Impossible de définir le mot de passe",
    lookFailed: "Impossible de vérifier le lien",
    overTitle: "Ce lien ne peut pas être utilisé",
    noToken: "Cette adresse est incomplète. Ouvrez le lien entier.",
    again: "Demander un nouveau lien",
  },
  fields: {
    name: "Nom",
    email: "E-mail",
    password: "Mot de passe",
    passwordHint: "Au moins 8 caractères. Quelques mots se retiennent mieux que des symboles.",
  },
  missing: {
    name: "Saisissez votre nom.",
    email: "Saisissez une adresse e-mail, par exemple ada@harbour.example.",
    password: "Saisissez votre mot de passe.",
    newPassword: "Utilisez au moins 8 caractères.",
    longPassword: "Utilisez au plus 1 024 octets.",
  },
  sso: {
    with: (name) => `Continuer avec ${name}`,
    going: (name) => `Ouverture ${de(name)}`,
    newTab: " dans un nouvel onglet",
    or: "ou",
    onItsWay: (name) => `Ouverture ${de(name)}.`,
    stay: "Rester sur cette page",
    waiting: "Connectez-vous là-bas, puis revenez à cet onglet. La suite est automatique.",
    failed: "Échec de la connexion",
    unknown:
      "La connexion auprès du fournisseur a échoué. Réessayez. Si l’échec persiste, prévenez votre administrateur.",
    /** Why signing in with a provider failed, by the code in the address, and what to do next. */
    errors: {
      sso_denied:
        "Le fournisseur a refusé la connexion, ou vous l’avez annulée. Réessayez et autorisez l’accès quand il vous est demandé.",
      sso_expired: "La connexion a pris trop de temps, ou la page a été ouverte deux fois. Recommencez à partir d’ici.",
      sso_no_account:
        "Vous n’avez pas encore de compte, et la connexion n’en crée pas. Demandez à votre administrateur de vous ajouter.",
      sso_email_taken:
        "Un compte avec votre adresse e-mail existe déjà et se connecte autrement. Connectez-vous comme auparavant, ou demandez à votre administrateur d’associer les comptes.",
      sso_email_missing:
        "Le fournisseur n’a pas envoyé votre adresse e-mail, qui est obligatoire. Demandez à votre administrateur de le corriger auprès du fournisseur.",
      sso_email_unverified:
        "Votre adresse e-mail n’est pas encore vérifiée auprès du fournisseur. Vérifiez-la là-bas, puis réessayez.",
      sso_domain_not_allowed:
        "Le domaine de votre adresse e-mail n’est pas autorisé. Utilisez votre compte professionnel, ou adressez-vous à votre administrateur.",
      sso_account_inactive: "Votre compte est désactivé. Demandez à votre administrateur de le réactiver.",
      sso_organization_inactive: "Votre organisation est désactivée. Adressez-vous à votre administrateur.",
      sso_other_invitation:
        "L’invitation est destinée à une autre adresse e-mail. Connectez-vous avec le compte auquel elle a été envoyée, ou demandez une invitation pour celui-ci.",
      sso_role_not_allowed:
        "Aucun de vos rôles n’est autorisé à utiliser ce service. Demandez l’accès à votre administrateur.",
      sso_provider_failed:
        "Le fournisseur était injoignable ou a envoyé une réponse non valide. Réessayez plus tard. Si l’échec persiste, prévenez votre administrateur. La raison figure dans le journal du service.",
    },
  },
  pause: (seconds) => `Trop de tentatives. Vous pourrez réessayer dans ${duration(seconds)}.`,
  pauseOver: "Vous pouvez réessayer maintenant.",
  again: {
    title: "Se reconnecter",
    text: "Votre session a pris fin. Connectez-vous pour reprendre là où vous en étiez. Rien de ce que vous avez saisi n’est perdu.",
    other: "Utiliser un autre compte",
    action: "Se connecter et continuer",
    noForm:
      "Votre session a pris fin. Connectez-vous dans un nouvel onglet pour continuer ici. Rien de ce que vous avez saisi n’est perdu.",
  },
  waiting: {
    title: "Votre compte attend d’être approuvé",
    text: "Un administrateur doit d’abord approuver votre compte. Cette page continuera ensuite automatiquement.",
    contact: (name) => `Vous pouvez vous adresser à ${name} :`,
    check: "Vérifier maintenant",
    checked: "Pas encore approuvé. Vérifié à l’instant.",
    signOut: "Se déconnecter",
    signedInAs: (email) => `Compte connecté : ${email}`,
    failed: "Impossible de vérifier l’approbation",
  },
} satisfies AppTexts["sign-in"];

function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  const part = (value: number, unit: string) =>
    new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(value);
  return [minutes > 0 && part(minutes, "minute"), (rest > 0 || minutes === 0) && part(rest, "second")]
    .filter(Boolean)
    .join(" ");
}
