// The entry point: shared styles, theme, language, shell.
import { mount } from "svelte";
import App from "./App.svelte";
import { start } from "./lib/state.svelte";
import "./theme.css";
import "./shell.css";

start();
mount(App, { target: document.getElementById("app")! });
