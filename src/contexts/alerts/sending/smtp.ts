import type { Milliseconds } from '../../../kernel/time.js';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Left part of the Message-ID, the same in a repetition. */
  readonly id: string;
}

const STEP_MS: Milliseconds = 10_000;
/** As long as the line of a header may be. */
const MAX_SUBJECT = 150;

/** Resolves to the reason of a failure. @param server `smtp://` or `smtps://`, with user and password if needed */
export async function sendMail(
  server: { readonly url: string; readonly from: string },
  { to, subject, text, id }: Mail,
): Promise<string | undefined> {
  // Loaded for the first mail: most services send none.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: server.url,
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      ...{ from: server.from, to, subject: shortened(subject), text },
      messageId: `<${id}@${server.from.slice(server.from.lastIndexOf('@') + 1).replace(/>$/, '')}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    return undefined;
  } catch (error) {
    const { code = 'SMTP_FAILED', responseCode } = error as { code?: string; responseCode?: number };
    return responseCode === undefined ? code : `SMTP_${responseCode}`;
  } finally {
    transport.close();
  }
}

const shortened = (text: string) =>
  text.length <= MAX_SUBJECT ? text : `${[...text].slice(0, MAX_SUBJECT - 1).join('')}…`;
