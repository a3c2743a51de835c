import type { AdminTexts } from "../../admin-texts.ts";
import { plural } from "../format.ts";

export default {
  title: "Imágenes y voz",
  sub: "Qué conexiones crean imágenes, transcriben lo que se dice y leen las respuestas en voz alta.",
  failed: "No se pudieron cargar los ajustes",
  images: {
    title: "Imágenes de modelos",
    sub: "El modelo recibe la descripción y las imágenes que se van a modificar.",
  },
  audio: { title: "Voz", sub: "Cada persona puede elegir una voz y una velocidad en Ajustes, Voz." },
  engines: { "": "El navegador de cada persona", openai: "Una conexión", off: "Nada" },
  none: "Ninguna",
  trial: {
    title: "Probar",
    sub: "Consulta el modelo guardado arriba. La imagen pasa a ser un archivo tuyo.",
    prompt: "Descripción",
    standard: "Un faro al anochecer, como un grabado en madera",
    test: "Crear una imagen",
    testing: "Creando la imagen. Puede tardar un minuto.",
    testStale: "La descripción ha cambiado desde la última imagen.",
    testFailed: "No se creó ninguna imagen",
    made: (seconds) =>
      plural(Math.round(seconds * 10) / 10, { one: "Creada en # segundo.", other: "Creada en # segundos." }),
    missing: "Escribe una descripción.",
  },
} satisfies AdminTexts["admin/media"];
