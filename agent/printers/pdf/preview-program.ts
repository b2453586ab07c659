import './bounded-memory.js';
import { buffer } from 'node:stream/consumers';
import { fontFolders } from '../../config.js';
import { pagePictures, type PagePictures } from './page-pictures.js';

// Draws the first pages of the PDF on stdin. Arguments: the number of pages, and their largest width and height in pixels.
// Answers on stdout as JSON `{ page_count, pages: [{ width, height, png }] }`, with PNG in base64, or `{ problem }`, which
// continues "The service …". Whoever starts it ends it when it takes too long.

const [pages = 0, width = 0, height = 0] = process.argv.slice(2).map(Number);

async function answer(): Promise<PagePictures | { readonly problem: string }> {
  try {
    return await pagePictures(await buffer(process.stdin), { pages, width, height }, fontFolders());
  } catch (error) {
    const isOfDocument = 'failureCode' in (error as object);
    const { message } = error as Error;
    return {
      problem: isOfDocument
        ? message.replace(/^cannot print/, 'cannot draw')
        : 'cannot draw this document: it takes too much memory',
    };
  }
}

// No await: bin/agent-bundle.mjs.
void answer().then((pages) => process.stdout.write(JSON.stringify(pages)));
