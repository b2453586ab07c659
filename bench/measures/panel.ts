import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { atMost, type Bench, type Figure, type Measure } from '../measure.js';
import { launchChromium, open, signIn } from '../programs/chromium.js';
import type { ServiceProcess } from '../programs/service.js';
import { quantile, rounds } from '../statistics.js';
import { call, newKey, openCustomer, type Customer } from '../world.js';
import { withService } from './with-service.js';

const VISIBLE_JOBS = 100;
/** A list is read again at most every two seconds, so each job waits until the one before was shown. */
const APART_MS = 2_200;
const STORM_MS = 60_000;
/** Each job of the storm stores three events: created, queued, cancelled. */
const JOBS_PER_SECOND = 17;
/** The storm stays below the limits of each key. */
const KEYS = 24;
const SLOW_CPU = 4;

const PAINT = `new Promise((painted) => new PerformanceObserver((list, observer) => {
  for (const { name, startTime } of list.getEntries())
    if (name === 'first-contentful-paint') { observer.disconnect(); painted(startTime); }
}).observe({ type: 'paint', buffered: true }))`;
const WATCH_TASKS = `window.longest = 0; new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
}).observe({ type: 'longtask' })`;
const appears = (title: string) => `new Promise((shown) => {
  const look = () => document.body.innerText.includes(${JSON.stringify(title)});
  const done = () => { observer.disconnect(); shown(true); };
  const observer = new MutationObserver(() => look() && done());
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  if (look()) done();
})`;

export const panel: Measure = {
  name: 'panel',
  about: 'the pages in Chromium: first paint, a created job on the list, a minute of 50 events a second',

  async run(bench) {
    const browser = await launchChromium();
    if (!browser) {
      bench.say('  panel: not measured, Chromium is not installed');
      return [];
    }
    try {
      const env = { RATE_LIMIT_FACTOR: '1' };
      return await withService(bench.folder('panel'), (service) => measure(bench, browser, service), { env });
    } finally {
      await browser.close();
    }
  },
};

async function measure(bench: Bench, browser: Browser, service: ServiceProcess): Promise<Figure[]> {
  const customer = await openCustomer(service, 2);
  const paint = await rounds(bench.rounds, () => firstPaint(browser, service, 1));
  const slow = await rounds(bench.rounds, () => firstPaint(browser, service, SLOW_CPU));
  const page = await signIn(browser, service, customer.accountId, 'anna');
  await open(page, '/jobs', 'Jobs');
  const visible = await timesToVisible(page, service, customer, bench.seconds < 5 ? 10 : VISIBLE_JOBS);
  const storm = await weather(browser, page, service, customer, bench.seconds < 5 ? 10_000 : STORM_MS);
  return [
    { name: 'panel, first contentful paint', unit: 'ms', rounds: paint, target: atMost(1_000) },
    { name: `panel, first paint, CPU ${SLOW_CPU} × slower`, unit: 'ms', rounds: slow, target: atMost(1_000) },
    {
      ...{ name: 'panel, created → visible, p95', unit: 'ms', target: atMost(500) },
      rounds: [quantile(visible, 0.95)],
      note: `of ${visible.length}; p50 ${Math.round(quantile(visible, 0.5))} ms`,
    },
    ...storm,
  ];
}

/** Of the sign-in form, in a new profile. */
async function firstPaint(browser: Browser, { url }: ServiceProcess, slower: number): Promise<number> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower });
  await page.goto(`${new URL(url).origin}/panel/`);
  const ms = (await page.evaluate(PAINT)) as number;
  await context.close();
  return ms;
}

async function timesToVisible(page: Page, service: ServiceProcess, customer: Customer, jobs: number) {
  const times: number[] = [];
  for (let n = 0; n < jobs; n++) {
    const title = `Seen ${randomUUID()}`;
    const seen = page.evaluate(appears(title));
    const began = performance.now();
    await create(service, customer.key, customer.printerIds[0]!, title);
    await seen;
    times.push(performance.now() - began);
    await pause(APART_MS);
  }
  return times;
}

/** Two open pages while events come in: refused requests, the longest task, growth of the heap. */
async function weather(
  browser: Browser,
  jobsPage: Page,
  service: ServiceProcess,
  customer: Customer,
  ms: number,
): Promise<Figure[]> {
  const keys = await Promise.all(
    Array.from({ length: KEYS }, () => newKey(service, customer.accountId, ['jobs:create', 'jobs:cancel'])),
  );
  const shown = await create(service, keys[0]!, customer.printerIds[0]!, 'The open job');
  const jobPage = await signIn(browser, service, customer.accountId, 'berta');
  await open(jobPage, `/jobs/${shown}`, 'Job The open job');
  let refused = 0;
  for (const page of [jobsPage, jobPage]) {
    page.on('response', (response) => (refused += Number(response.status() === 429)));
    await page.evaluate(WATCH_TASKS);
  }
  const before = await heapOf(jobsPage);
  const end = performance.now() + ms;
  let created = 0;
  while (performance.now() < end) {
    const key = keys[created++ % KEYS]!;
    void storm(service, key, customer.printerIds[1]!).catch(() => refused++);
    await pause(1_000 / JOBS_PER_SECOND);
  }
  const growth = ((await heapOf(jobsPage)) / before - 1) * 100;
  const longest = await Promise.all([jobsPage, jobPage].map((page) => page.evaluate('window.longest')));
  const note = `${created * 3} events in ${Math.round(ms / 1000)} s, ${refused} requests refused`;
  return [
    {
      ...{ name: 'panel, longest task in a storm', unit: 'ms', target: atMost(50), note },
      rounds: [Math.max(...(longest as number[]))],
    },
    { name: 'panel, heap growth in a storm', unit: '%', rounds: [growth], target: atMost(20) },
  ];
}

async function storm(service: ServiceProcess, key: string, printerId: string): Promise<void> {
  const jobId = await create(service, key, printerId, 'Storm');
  await call(service.url, key, 'POST', `/svc-api-print-jobs/${jobId}/cancel`, {});
}

async function heapOf(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  await devtools.detach();
  return usedSize;
}

async function create({ url }: ServiceProcess, key: string, printer_id: string, title: string) {
  const response = await fetch(`${url}/svc-api-print-jobs`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      ...{ 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    },
    body: JSON.stringify({ printer_id, title, content: { type: 'text', encoding: 'utf8', data: 'Hello' } }),
  });
  const { data } = (await response.json()) as { data?: { job_id: string } };
  if (response.status !== 201) throw new Error(`a job was answered with ${response.status}`);
  return data!.job_id;
}
