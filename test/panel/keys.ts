import type { Page } from 'playwright-core';

/** Name of the control with the focus: of a field its label, of others their text. */
const NAME = `(() => {
  const { labels, textContent } = document.activeElement ?? {};
  return (labels?.[0]?.textContent ?? textContent ?? '').trim();
})()`;

/** Works a page by its keys alone. */
export class Keys {
  constructor(private readonly page: Page) {}

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  type(text: string): Promise<void> {
    return this.page.keyboard.type(text);
  }

  focused(): Promise<string> {
    return this.page.evaluate(NAME);
  }

  /** Goes on with the Tab key until the control whose name begins like this has the focus. */
  async tabTo(name: string): Promise<void> {
    const passed = [];
    for (let n = 0; n < 60; n++) {
      await this.press('Tab');
      const focused = await this.focused();
      if (focused.startsWith(name)) return;
      passed.push(focused);
    }
    throw new Error(`the Tab key does not reach ${name}, but ${passed.join(' | ')}`);
  }
}
