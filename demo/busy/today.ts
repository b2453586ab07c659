import { text, type Printer, type RemotePrinting } from '../../sdk/src/index.js';
import type { Installation } from './yesterday.js';

const HEARTBEAT_MS = 20_000;
const JOB_MS = 4_000;

/** The Agents of yesterday call the service of today. Returns what ends it. */
export function keepCalling({ desks, held }: Installation, url: string, onError: (why: Error) => void) {
  for (const { agent } of desks) agent.url = url;
  const call = () =>
    Promise.all(desks.map(({ agent }, n) => agent.heartbeat(...(n === 0 ? held : [])))).catch(onError);
  void call();
  const timer = setInterval(() => void call(), HEARTBEAT_MS);
  return () => clearInterval(timer);
}

/** Sends a job every few seconds through the real Agent. Returns what ends it. */
export function keepPrinting(client: RemotePrinting, printer: Printer, onError: (why: Error) => void) {
  let number = 1_300;
  const print = () => {
    const title = `Receipt ${number++}`;
    const content = text(`${title}\n\nThank you for your visit.\n`);
    client.jobs.create({ printer_id: printer.printer_id, content, title }).catch(onError);
  };
  const timer = setInterval(print, JOB_MS);
  return () => clearInterval(timer);
}
