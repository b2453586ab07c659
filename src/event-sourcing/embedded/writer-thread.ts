import { parentPort, workerData } from 'node:worker_threads';
import { openForWriting } from './connection.js';
import { loadProjections, Writer } from './writer.js';
import { portable } from './sqlite-errors.js';
import { WriterHost } from './writer-host.js';
import type { ProjectedFolder } from './store-threads.js';
import type { FromWriter, ToWriter } from './writer-messages.js';
import { messageOf } from '../../kernel/errors.js';

const port = parentPort!;
const { dataDir, projectionsUrl } = workerData as ProjectedFolder;

const writer = await openWriter();
const host = new WriterHost(writer, (message: FromWriter) => {
  port.postMessage(message);
  if (message.kind === 'closed') port.close();
});
port.on('message', (message: ToWriter) => host.receive(message));
port.postMessage({ kind: 'ready' } satisfies FromWriter);

async function openWriter(): Promise<Writer> {
  const projected = await loadProjections(projectionsUrl);
  try {
    return new Writer(openForWriting(dataDir), projected);
  } catch (error) {
    throw portable(error, `the database in ${dataDir} cannot be opened: ${messageOf(error)}`);
  }
}
