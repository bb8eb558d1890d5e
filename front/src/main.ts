// Where the page starts: the shared styles, the chosen theme and language, the shell.
import { mount } from "svelte";
import App from "./App.svelte";
import { start } from "./lib/state.svelte";
import "./theme.css";
import "./shell.css";

start();
mount(App, { target: document.getElementById("app")! });
