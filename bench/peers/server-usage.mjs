import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** CPU-seconds and bytes written by a process and its children, which must not end meanwhile. */
export function usageOfTree(pid) {
  if (pid === undefined) return { cpu: 0, written: 0 };
  const usages = treeOf(pid).map(usageOf);
  const sum = (of) => usages.reduce((total, usage) => total + of(usage), 0);
  return { cpu: sum(({ cpu }) => cpu), written: sum(({ written }) => written) };
}

function treeOf(pid) {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(Number(name)) === pid)
    .map(Number);
  return [pid, ...children];
}

function parentOf(pid) {
  return Number(statOf(pid)[1]);
}

/** Fields after the name, from the state on. */
function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

function usageOf(pid) {
  const [cpu, written] = [cpuOf(pid), writtenBy(pid)];
  return { cpu, written };
}

/** With the children that it waited for. */
function cpuOf(pid) {
  const fields = statOf(pid);
  return [11, 12, 13, 14].reduce((total, n) => total + Number(fields[n] ?? 0), 0) / TICKS_PER_SECOND;
}

function writtenBy(pid) {
  try {
    return Number(/^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
