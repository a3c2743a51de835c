import type { AdminTexts } from "../../admin-texts.ts";
import { list, number, plural } from "../format.ts";

export default {
  title: "Estado",
  sub: "Las mismas tres comprobaciones que hace un monitor, ejecutadas ahora desde este navegador.",
  again: "Comprobar de nuevo",
  copy: "Copiar",
  levels: {
    1: { name: "Servicio y base de datos", how: "GET /health" },
    2: { name: "Aparecen modelos", how: "GET /api/models" },
    3: { name: "Un modelo responde", how: "POST /api/chat/completions" },
  },
  state: { waiting: "Comprobando", ok: "OK", failed: "Con error", idle: "Sin comprobar" },
  reasons: {
    database_unreachable: "La base de datos no responde. Hasta que lo haga, nadie puede iniciar sesión ni leer chats.",
    database_slow: "La base de datos tarda más de 1,5 segundos en responder.",
    schema_outdated:
      "La base de datos tiene un esquema más antiguo del que necesita esta versión. Ejecuta las migraciones.",
  },
  noAnswer: "El servicio no responde.",
  models: (count) => plural(count, { one: "# modelo", other: "# modelos" }),
  noModels: "No aparece ningún modelo: todos los proveedores están inaccesibles o no hay ninguno conectado.",
  unreachable: (names) => `Sin respuesta: ${names}.`,
  ask: "Preguntar a un modelo",
  model: "Modelo",
  question: "Responde con una palabra: listo",
  answered: (answer) => `Respondió: “${answer}”`,
  empty: "El modelo envió una respuesta vacía.",
  levelThreeHint: "Se envía una pregunta corta al modelo. Puede que el proveedor la cobre.",
  time: (milliseconds) => `${number.format(Math.round(milliseconds))} ms`,
  monitor: {
    title: "Para tu monitor",
    text: "El comando de abajo hace las tres comprobaciones desde fuera. Su código de salida es el número de la primera que falló. Crea una cuenta aparte para él.",
  },
  runners: {
    title: "Ejecutores nativos",
    ready: "Listo",
    failed: "No disponible",
    problems: {
      unreachable: "No responde.",
      token: "Tiene otro RUNNER_TOKEN.",
      answer: "No responde como un ejecutor.",
      protocol: "Su versión no coincide con la de este servicio.",
      detached: "RUNNERS ya no lo incluye, así que sus plugins no se ejecutan.",
    },
    wall: "Sus plugins solo acceden a la red a través del proxy protegido.",
    noWall: (why) => `Sus plugins pueden eludir el proxy protegido, porque el sistema no les da una red propia: ${why}`,
    state: (version, used, max) => `Python ${version}, ${number.format(used)} de ${number.format(max)} procesos en uso`,
    plugins: (names) => `Plugins: ${list.format(names)}`,
    noPlugins: "Aquí no se ejecuta ningún plugin.",
  },
  version: (version) => `Versión ${version}`,
} satisfies AdminTexts["admin/health"];
