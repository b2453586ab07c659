import { soon } from '../../../test/kit/polling.js';
import { SmtpReceiver } from '../../../test/kit/smtp-receiver.js';
import { sendMail } from './alert-sender.js';

const mail = { to: 'bea@example.com', subject: 'Job failed', text: 'Look at it.', id: 'message-1' };

describe('sending a mail', () => {
  let smtp: SmtpReceiver;
  beforeEach(async () => {
    smtp = await SmtpReceiver.start();
  });
  afterEach(() => smtp.close());

  const send = (deadline: AbortSignal) =>
    sendMail({ url: smtp.url, from: 'print@example.com' }, mail, deadline);

  it('gives it to the server', async () => {
    expect(await send(new AbortController().signal)).toBeUndefined();
    expect(smtp.mails).toMatchObject([{ to: 'bea@example.com', text: 'Look at it.' }]);
  });

  it('ends the dialogue at its deadline, so that a mail that is sent again was not delivered', async () => {
    const deadline = new AbortController();
    const asked = smtp.hold('RCPT');
    const sent = send(deadline.signal);
    const answer = await asked;
    deadline.abort();
    expect(await sent).toBe('TIMEOUT');
    answer();
    await soon(() => smtp.connections === 0);
    expect(smtp.mails).toEqual([]);
  });
});
