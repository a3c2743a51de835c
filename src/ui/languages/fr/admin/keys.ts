import type { AdminTexts } from "../../admin-texts.ts";
import { de, endpoints, plural } from "../format.ts";

export default {
  title: "Clés API",
  sub: "Les clés permettent à des scripts et à des programmes d’agir au nom des personnes. Décidez qui peut en avoir et ce qu’elles peuvent atteindre, et révoquez-les.",
  settings: {
    title: "Ce que peuvent les clés",
    sub: "S’applique aux clés de tout le monde dès le prochain appel.",
  },
  settingsFailed: "Impossible de charger les paramètres",
  endpointsFailed:
    "Impossible de charger la liste des points de terminaison. D’ici là, les entrées ne sont pas vérifiées",
  who: "Quand les clés sont activées, les administrateurs peuvent en avoir. Les autres ont besoin de l’autorisation « Utiliser des clés API » :",
  whoEveryone: "pour tout le monde",
  whoGroups: "ou pour un groupe",
  card: "Clés",
  table: "Clés API",
  search: "Rechercher une clé, un nom ou un e-mail",
  columns: {
    key: "Clé",
    owner: "Propriétaire",
    lastUsed: "Dernière utilisation",
    made: "Création",
    actions: "Actions",
  },
  never: "Jamais",
  ends: "Valable jusqu’au",
  ended: "Expirée",
  unnamed: "Sans nom",
  failed: "Impossible de charger les clés",
  moreFailed: "Impossible de charger d’autres clés",
  none: "Personne n’a encore créé de clé.",
  noneOff: "Personne n’a de clé. Il sera possible d’en créer quand vous aurez activé les clés API.",
  notFound: (query) => `Aucune clé ne correspond à « ${query} ».`,
  noneOfPerson: "Cette personne n’a aucune clé.",
  ofPerson: (name) => `Clés ${de(name)}`,
  everyone: "Afficher toutes les clés",
  actionsFor: (key, owner) => `Actions pour la clé ${key} (${owner})`,
  menu: {
    one: "Révoquer cette clé",
    person: (name) => `Révoquer toutes les clés ${de(name)}`,
    only: (name) => `N’afficher que les clés ${de(name)}`,
    audit: "Voir dans le journal d’audit",
  },
  revokeAll: "Tout révoquer",
  ask: {
    one: {
      title: (key, owner) => `Révoquer la clé ${key} (${owner}) ?`,
      text: "Tout ce qui l’utilise cesse immédiatement de fonctionner. Elle ne peut pas être restaurée, mais son propriétaire peut en créer une nouvelle.",
      action: "Révoquer la clé",
    },
    person: {
      title: (name) => `Révoquer toutes les clés ${de(name)} ?`,
      text: (name) =>
        `Tous les scripts et programmes qui agissent au nom ${de(name)} cessent immédiatement de fonctionner. Les clés ne peuvent pas être restaurées.`,
      action: "Révoquer ses clés",
    },
    all: {
      title: "Révoquer les clés de tout le monde ?",
      text: (count) =>
        `${plural(count, { one: "Une clé cesse", other: "Les # clés cessent" })} immédiatement de fonctionner, tout comme chaque script et programme qui en utilise, y compris les vôtres. Elles ne peuvent pas être restaurées.`,
      action: "Tout révoquer",
      word: "tout révoquer",
    },
    failed: "Impossible de révoquer les clés",
  },
  done: {
    one: (key) => `La clé ${key} a été révoquée.`,
    many: (count) => plural(count, { one: "# clé a été révoquée.", other: "# clés ont été révoquées." }),
  },
  endpoints: {
    hint: "Ce que les clés peuvent atteindre quand la restriction est activée.",
    add: "Ajouter un point de terminaison",
    addHint:
      "Un chemin tel que /api/models, avec ou sans méthode. /* inclut tout ce qui se trouve en dessous. Vous pouvez coller une liste.",
    addAction: "Ajouter",
    none: "Aucun point de terminaison n’est listé.",
    list: "Points de terminaison autorisés",
    remove: (entry) => `Retirer ${entry}`,
    wrong: {
      form: "Saisissez un chemin qui commence par une barre oblique, précédé ou non d’une méthode.",
      unknown: "Ce point de terminaison n’existe pas : l’entrée n’autorise rien.",
    },
    useInstead: (entry) => `Utiliser ${entry}`,
    lets: endpoints,
    notInForce: "La restriction est désactivée : les clés peuvent atteindre tous les points de terminaison.",
    emptyInForce: "La restriction est activée et la liste est vide : les clés ne peuvent rien atteindre.",
  },
} satisfies AdminTexts["admin/keys"];
