import { arrange, pageSizes } from '../../agent/printers/pdf/page-arranger.js';
import type { WithPdf } from '../../agent/printers/pdf/pdf-process.js';
import { needsDrawing, picturedPages } from '../../agent/printers/pdf/pictured-pages.js';
import { checkDrawable } from '../../agent/printers/pdf/pwg-raster.js';
import { FONT_FOLDER } from './sample-fonts.js';

const fonts = [FONT_FOLDER];

/** Reads and draws documents in the process of the test, with the fonts of one folder. */
export const pdfInThisProcess: WithPdf = (_, use) =>
  use({
    arrange,
    pageSizes,
    checkDrawable: (bytes, moved) => checkDrawable(bytes, moved, fonts),
    needsDrawing: (bytes, moved) => needsDrawing(bytes, moved, fonts),
    picturedPages: (bytes, settings, moved) => picturedPages(bytes, settings, moved, fonts),
  });
