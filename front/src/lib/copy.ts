// Copying text: with the clipboard API if available, otherwise (over http) with the older command.
import { t } from "./i18n";
import { note } from "./state.svelte";

export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  note(t("copied"));
}
