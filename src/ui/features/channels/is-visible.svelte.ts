/** Whether the tab is in view: only then a person has seen what stands there. */
export const isVisible = $state({ value: document.visibilityState === "visible" });

document.addEventListener("visibilitychange", () => {
  isVisible.value = document.visibilityState === "visible";
});
