"use strict";
// What every page has: the theme, and copies.
const byId = (id) => document.getElementById(id);
// Light or dark: the user's system decides until the button does.
const root = document.documentElement;
const theme = byId("theme");
const dark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (root.dataset.theme || (dark.matches ? "dark" : "light")) === "dark";
const named = () => { theme.textContent = isDark() ? "Light" : "Dark"; };
theme.hidden = false;
named();
dark.addEventListener("change", named);
theme.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; named(); });

// Copies.
function offerCopies(part) {
  part.querySelectorAll("button.copy").forEach((button) => { button.hidden = false; });
}
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch (refused) {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}
offerCopies(document);
document.addEventListener("click", async (event) => {
  const button = event.target.closest && event.target.closest("button.copy");
  if (!button) return;
  const words = button.textContent;
  await copied(byId(button.dataset.of).textContent);
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = words; }, 1500);
});

