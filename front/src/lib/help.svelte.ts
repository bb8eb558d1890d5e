// What the help sheet shows: the current game and its keys.
import type { TableModule } from "../tables/contract";

class HelpSheet {
  open: boolean = $state(false);
  game: string = $state("");
  keys: TableModule["keys"] = $state.raw([]);
}

export const help = new HelpSheet();
