// Sets itself up as a worker when it is loaded.
import "pdfjs-dist/legacy/build/pdf.worker.mjs";
