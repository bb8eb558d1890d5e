// Short sounds synthesised with WebAudio: no files, nothing before the first touch, silent when muted.
import type { SoundName } from "../tables/contract";
import { keep, kept } from "./keep";

let context: AudioContext | null = null;
let master: GainNode | null = null; // what all sounds pass through
let silent = kept("muted") === "yes";

let loudness = firstVolume(); // percent

function firstVolume(): number {
  const found = Number(kept("volume") ?? 100);
  return found >= 0 && found <= 100 ? found : 100;
}

export const volume = (): number => loudness;

/** Sets how loud sounds are, in percent. */
export function setVolume(percent: number): void {
  loudness = Math.min(100, Math.max(0, percent));
  keep("volume", String(loudness));
  if (master) master.gain.value = loudness / 100;
}

function out(at: AudioContext): GainNode {
  if (!master) {
    master = at.createGain();
    master.gain.value = loudness / 100;
    master.connect(at.destination);
  }
  return master;
}

export const muted = (): boolean => silent;

export function mute(yes: boolean): void {
  silent = yes;
  keep("muted", yes ? "yes" : "no");
}

/** A tone that fades: pitch in hertz (sliding to `to`), when and how long in seconds, how loud. */
function tone(
  at: AudioContext,
  wave: OscillatorType,
  pitch: number,
  to: number,
  after: number,
  long: number,
  loud: number,
): void {
  const from = at.currentTime + after;
  const source = at.createOscillator();
  const gain = at.createGain();
  source.type = wave;
  source.frequency.setValueAtTime(pitch, from);
  source.frequency.exponentialRampToValueAtTime(Math.max(1, to), from + long);
  gain.gain.setValueAtTime(0.0001, from);
  gain.gain.exponentialRampToValueAtTime(loud, from + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, from + long);
  source.connect(gain).connect(out(at));
  source.start(from);
  source.stop(from + long + 0.02);
}

/** A rustle: filtered noise around `pitch`, for cards and tiles. */
function rustle(at: AudioContext, pitch: number, after: number, long: number, loud: number): void {
  const from = at.currentTime + after;
  const noise = at.createBuffer(1, Math.ceil(at.sampleRate * long), at.sampleRate);
  const data = noise.getChannelData(0);
  for (let i = 0; i < data.length; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / data.length) ** 2;
  const source = at.createBufferSource();
  source.buffer = noise;
  const filter = at.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  const gain = at.createGain();
  gain.gain.value = loud;
  source.connect(filter).connect(gain).connect(out(at));
  source.start(from);
}

const SOUNDS: Record<SoundName, (at: AudioContext) => void> = {
  deal: (at) => [0, 0.06, 0.12].forEach((after) => rustle(at, 3200, after, 0.05, 0.25)),
  place: (at) => {
    tone(at, "sine", 240, 120, 0, 0.09, 0.28);
    rustle(at, 1800, 0, 0.03, 0.5);
  },
  flip: (at) => rustle(at, 4200, 0, 0.09, 0.35),
  take: (at) => {
    rustle(at, 2400, 0, 0.08, 0.3);
    tone(at, "triangle", 420, 560, 0.04, 0.12, 0.1);
  },
  claim: (at) => [523, 784].forEach((pitch, i) => tone(at, "triangle", pitch, pitch, i * 0.08, 0.16, 0.16)),
  win: (at) => [523, 659, 784, 1047].forEach((pitch, i) => tone(at, "triangle", pitch, pitch, i * 0.11, 0.3, 0.16)),
  lose: (at) => [392, 330, 262].forEach((pitch, i) => tone(at, "sine", pitch, pitch * 0.97, i * 0.14, 0.3, 0.14)),
  chain: (at) => [660, 880].forEach((pitch, i) => tone(at, "square", pitch, pitch * 1.2, i * 0.05, 0.1, 0.05)),
  error: (at) => tone(at, "sawtooth", 150, 110, 0, 0.14, 0.08),
  turn: (at) => tone(at, "sine", 880, 880, 0, 0.14, 0.09),
};

export function play(name: SoundName): void {
  if (silent || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  SOUNDS[name](context);
}
