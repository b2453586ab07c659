import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchChromium } from '../../kit/chromium.js';
import { Conformance } from '../../kit/openapi.js';
import { serviceForAll } from '../../kit/service.js';
import { openAccount } from '../../kit/world.js';

/** Allows half a minute of rendering on a busy machine. */
const PATIENT_MS = 90_000;

const INTEGRATION = ['integration', '/openapi.json'] as const;
const OTHERS = [
  ['partner', '/managed/openapi.json'],
  ['agent', '/agent/openapi.json'],
] as const;

describeInBrowser('the reading page in a browser', () => {
  const service = serviceForAll();
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  const open = async (name: string, path: string) => {
    const { url } = service;
    const { operations, title } = await described(url + path);
    const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
    page.setDefaultTimeout(PATIENT_MS);
    const trouble = watch(page, new URL(url).origin);
    await page.goto(`${url}/docs?api=${name}`);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    return { page, trouble, operations };
  };

  /** Opens a document and waits for all of it. */
  const read = async ([name, path]: readonly [string, string]) => {
    const { page, trouble, operations } = await open(name, path);
    // Seldom, because the page draws in the same thread.
    await page.waitForFunction(showsAll(operations), undefined, { polling: 500 });
    await page.evaluate(READ_TO_THE_END);
    expect(trouble).toEqual([]);
    return page;
  };

  it.each(OTHERS)('opens the document of %s, without an error or a foreign request', async (name, path) => {
    const { page, trouble } = await open(name, path);
    expect(trouble).toEqual([]);
    await page.close();
  });

  it('shows every operation of integration, and sends a test request with the entered credential', async () => {
    const { key } = await openAccount(service);
    const page = await read(INTEGRATION);
    await page.getByPlaceholder('Token').filter({ visible: true }).first().fill(key);
    await page.getByRole('button', { name: 'Test Request (get /svc-api-account)' }).click();
    const answered = page.waitForResponse(/svc-api-account$/);
    await page.getByRole('button', { name: /Send get request/ }).click();
    expect((await answered).status()).toBe(200);
    await page.close();
  });

  it('detects failures', async () => {
    const page = await browser.newPage();
    const trouble = watch(page, 'http://elsewhere.test');
    // The page need not be drawn for this.
    await page.route('**/api-reference.js', (route) => route.abort());
    await page.goto(`${service.url}/docs`);
    await page.evaluate(ADD_INLINE_SCRIPT);
    expect(trouble.some((line) => line.startsWith('foreign'))).toBe(true);
    await page.evaluate(READ_TO_THE_END);
    expect(trouble.some((line) => line.includes('Content Security Policy'))).toBe(true);
    await page.close();
  });
});

const showsAll = (texts: readonly string[]) => `(() => {
  const shown = document.body.textContent;
  return ${JSON.stringify(texts)}.every((text) => shown.includes(text));
})()`;

/** Opens sections that render only when visible. */
const READ_TO_THE_END = `
  window.scrollTo(0, document.body.scrollHeight);
  new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
`;

/** Scripts that the policy must block. */
const ADD_INLINE_SCRIPT = `
  document.body.append(Object.assign(document.createElement('script'), { textContent: 'void 0' }));
`;

/** Console errors, uncaught errors, failed requests, and requests that leave the origin. */
function watch(page: Page, origin: string): string[] {
  const trouble: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') trouble.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => trouble.push(`uncaught: ${error.message}`));
  page.on('requestfailed', (request) => trouble.push(`failed: ${request.url()}`));
  page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (asked !== origin && protocol !== 'data:' && protocol !== 'blob:')
      trouble.push(`foreign: ${request.url()}`);
  });
  return trouble;
}

async function described(url: string) {
  const { document } = await Conformance.of(url);
  const paths = Object.values(document.paths) as Record<string, { summary?: string }>[];
  const operations = paths.flatMap((methods) => Object.values(methods).map(({ summary }) => summary ?? ''));
  return { title: document.info.title, operations };
}
