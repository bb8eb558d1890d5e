// The typed state of the page. Pages read it; the functions here and the table's session change it.
import type { Lang } from "../tables/contract";
import * as api from "./api";
import { firstLang, HTML_LANG } from "./i18n";
import { showSuits } from "./comfort.svelte";
import { keep, kept } from "./keep";
import type { FromServer, GameInfo, Guest, Lobby, LobbyChange } from "./wire";
import { unpacks } from "./packed";
import { listen, type Route } from "./router";
import { Socket, type Link } from "./socket";
import * as sound from "./sound";
import { applyTheme, firstTheme, type Theme } from "./theme";

export interface Note {
  id: number;
  kind: "info" | "bad";
  text: string;
}

class App {
  route: Route = $state.raw({ page: "lobby" });
  lang: Lang = $state("en");
  theme: Theme = $state("system");
  muted: boolean = $state(false);
  me: Guest | null = $state.raw(null);
  lobby: Lobby | null = $state.raw(null);
  lobbyLine: Link = $state("joining");
  notes: Note[] = $state([]);
}

export const app = new App();

export function start(): void {
  app.theme = firstTheme();
  applyTheme(app.theme);
  app.muted = sound.muted();
  showSuits();
  setLang(firstLang());
  listen((route) => (app.route = route));
  void introduce();
}

let introduced: () => void;
/** Resolves when the server knows this browser and the page knows its name. */
export const known = new Promise<void>((resolve) => (introduced = resolve));

async function introduce(): Promise<void> {
  try {
    app.me = await api.me();
    introduced();
  } catch {
    app.lobbyLine = "lost";
    setTimeout(introduce, 2000);
  }
}

export function setLang(lang: Lang): void {
  app.lang = lang;
  document.documentElement.lang = HTML_LANG[lang];
}

export function chooseLang(lang: Lang): void {
  keep("lang", lang);
  setLang(lang);
}

export function chooseTheme(theme: Theme): void {
  app.theme = theme;
  applyTheme(theme);
}

export function chooseMuted(muted: boolean): void {
  app.muted = muted;
  sound.mute(muted);
}

export async function rename(name: string): Promise<void> {
  app.me = await api.rename(name);
}

/** Forgets this browser: the server ends its cookie, and the page starts as a newcomer's. */
export async function signOut(): Promise<void> {
  await api.logout();
  location.assign("/");
}

let notes = 0;

/** A notice that is shown for a moment. */
export function note(text: string, kind: Note["kind"] = "info"): void {
  const id = ++notes;
  app.notes = [...app.notes.filter((one) => one.text !== text), { id, kind, text }].slice(-3);
  setTimeout(() => (app.notes = app.notes.filter((one) => one.id !== id)), 4500);
}

/** The lobby after a change; tables are listed newest first. */
export function changedLobby(before: Lobby, change: LobbyChange): Lobby {
  const left = new Set([...change.gone, ...change.tables.map((table) => table.id)]);
  const tables = [...before.tables.filter((table) => !left.has(table.id)), ...change.tables];
  return {
    ...before,
    games: before.games.map((game) => change.games.find((one) => one.name === game.name) ?? game),
    tables: tables.sort((a, b) => b.created - a.created),
    online: change.online,
  };
}

let lobby: { socket: Socket<FromServer, never>; users: number; timer: number } | null = null;

/** Keeps the lobby up to date; call the returned function to stop. */
export function followLobby(): () => void {
  if (lobby === null) {
    const socket = new Socket<FromServer, never>(
      {
        path: () => (unpacks() ? "/ws/lobby?packed=true" : "/ws/lobby"),
        line: (line) => (app.lobbyLine = line),
        message: (message) => {
          if (message.type === "lobby") app.lobby = message;
          else if (message.type === "lobby_change" && app.lobby) app.lobby = changedLobby(app.lobby, message);
        },
      },
      known,
    );
    lobby = { socket, users: 0, timer: 0 };
  }
  const mine = lobby;
  clearTimeout(mine.timer);
  mine.users++;
  return () => {
    if (--mine.users > 0) return;
    mine.timer = window.setTimeout(() => {
      mine.socket.close();
      if (lobby === mine) lobby = null;
    }, 500); // keep the connection between pages
  };
}

export function gameInfo(name: string): GameInfo | undefined {
  return app.lobby?.games.find((game) => game.name === name);
}

/** Whether this browser has seen the game before: lessons are offered on the first visit. */
export const met = (game: string): boolean => (kept("met") ?? "").split(",").includes(game);

export function meet(game: string): void {
  if (!met(game)) keep("met", [...(kept("met") ?? "").split(",").filter(Boolean), game].join(","));
}
