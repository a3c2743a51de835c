/** Whether the first page stands: pictures and other things that can wait load only then. */
export const page = $state({ settled: false });

function settle(): void {
  setTimeout(() => {
    page.settled = true;
  }, 300);
}

if (document.readyState === "complete") settle();
else addEventListener("load", settle, { once: true });
