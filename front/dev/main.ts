// A bench for one table without a server: /dev.html?game=xianqi&lang=zh&step=3&theme=dark
import { mount } from "svelte";
import Bench from "./Bench.svelte";

mount(Bench, { target: document.getElementById("app")! });
