import type { AdminTexts } from "../../admin-texts.ts";
import { endpoints, plural } from "../format.ts";

export default {
  title: "Claves de API",
  sub: "Con las claves, scripts y programas actúan en nombre de las personas. Decide quién puede tener claves y a qué acceden, y revócalas.",
  settings: {
    title: "Qué pueden hacer las claves",
    sub: "Se aplica a las claves de todos desde la próxima llamada.",
  },
  settingsFailed: "No se pudieron cargar los ajustes",
  endpointsFailed: "No se pudo cargar la lista de endpoints. Mientras tanto, las entradas no se comprueban",
  who: "Con las claves activadas, los administradores pueden tenerlas. Los demás necesitan el permiso “Usar claves de API”:",
  whoEveryone: "para todos",
  whoGroups: "o para un grupo",
  card: "Claves",
  table: "Claves de API",
  search: "Buscar clave, nombre o correo",
  columns: { key: "Clave", owner: "Propietario", lastUsed: "Último uso", made: "Creada", actions: "Acciones" },
  never: "Nunca",
  ends: "Válida hasta",
  ended: "Caducada",
  unnamed: "Sin nombre",
  failed: "No se pudieron cargar las claves",
  moreFailed: "No se pudieron cargar más claves",
  none: "Aún nadie ha creado una clave.",
  noneOff: "Nadie tiene una clave. Se podrán crear cuando actives las claves de API.",
  notFound: (query) => `Ninguna clave coincide con “${query}”.`,
  noneOfPerson: "Esta persona no tiene claves.",
  ofPerson: (name) => `Claves de ${name}`,
  everyone: "Mostrar las claves de todos",
  actionsFor: (key, owner) => `Acciones de la clave ${key} de ${owner}`,
  menu: {
    one: "Revocar esta clave",
    person: (name) => `Revocar todas las claves de ${name}`,
    only: (name) => `Mostrar solo las claves de ${name}`,
    audit: "Ver en la auditoría",
  },
  revokeAll: "Revocar todas las claves",
  ask: {
    one: {
      title: (key, owner) => `¿Revocar la clave ${key} de ${owner}?`,
      text: "Todo lo que la usa deja de funcionar de inmediato. No se puede recuperar, pero su propietario puede crear otra.",
      action: "Revocar clave",
    },
    person: {
      title: (name) => `¿Revocar todas las claves de ${name}?`,
      text: (name) =>
        `Todos los scripts y programas que actúan en nombre de ${name} dejan de funcionar de inmediato. Las claves no se pueden recuperar.`,
      action: "Revocar sus claves",
    },
    all: {
      title: "¿Revocar las claves de todos?",
      text: (count) =>
        `${plural(count, { one: "# clave deja", other: "# claves dejan" })} de funcionar de inmediato, igual que todos los scripts y programas que las usan, incluidos los tuyos. No se pueden recuperar.`,
      action: "Revocar todas las claves",
      word: "revocar todas",
    },
    failed: "No se pudieron revocar las claves",
  },
  done: {
    one: (key) => `La clave ${key} se revocó.`,
    many: (count) => plural(count, { one: "Se revocó # clave.", other: "Se revocaron # claves." }),
  },
  endpoints: {
    hint: "A qué pueden acceder las claves mientras la restricción está activada.",
    add: "Añadir un endpoint",
    addHint:
      "Una ruta como /api/models, con o sin método. /* incluye todo lo que hay debajo. Se puede pegar una lista.",
    addAction: "Añadir",
    none: "No hay endpoints en la lista.",
    list: "Endpoints permitidos",
    remove: (entry) => `Quitar ${entry}`,
    wrong: {
      form: "Escribe una ruta que empiece por una barra, con o sin método delante.",
      unknown: "Este endpoint no existe, así que la entrada no permite nada.",
    },
    useInstead: (entry) => `Usar ${entry}`,
    lets: (count) => endpoints(count),
    notInForce: "La restricción está desactivada: las claves pueden acceder a todos los endpoints.",
    emptyInForce: "La restricción está activada y la lista está vacía: las claves no pueden acceder a nada.",
  },
} satisfies AdminTexts["admin/keys"];
