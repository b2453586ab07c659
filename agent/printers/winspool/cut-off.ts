import type { Placement } from '../pdf/page-layout.js';
import type { PdfPage } from '../pdf/pdf-renderer.js';

/** Pixels of the picture that is searched for ink. */
const MAX_SIDE = 1000;

/** True if ink of the page lies outside of the part that can be printed: margins of most pages are empty. */
export function isCutOff(page: PdfPage, placement: Placement): boolean {
  const { page: whole, columns, rows } = placement;
  const right = whole.left + whole.width - columns;
  const bottom = whole.top + whole.height - rows;
  if (whole.left >= 0 && whole.top >= 0 && right <= 0 && bottom <= 0) return false;
  const step = Math.max(1, whole.width / MAX_SIDE, whole.height / MAX_SIDE);
  const picture: Placement = {
    ...placement,
    ...{ x: 0, y: 0, stepX: 1, stepY: 1, color: false, shades: true },
    ...{ columns: Math.ceil(whole.width / step), rows: Math.ceil(whole.height / step) },
    page: { left: 0, top: 0, width: Math.ceil(whole.width / step), height: Math.ceil(whole.height / step) },
  };
  // A pixel of the picture may lie partly inside.
  const hidden = {
    ...{ left: -whole.left / step - 1, top: -whole.top / step - 1 },
    ...{ right: picture.columns - right / step + 1, bottom: picture.rows - bottom / step + 1 },
  };
  return page
    .draw(picture, { top: 0, rows: picture.rows })
    .some(
      (ink) =>
        ink.x < hidden.left ||
        ink.y < hidden.top ||
        ink.x + ink.columns > hidden.right ||
        ink.y + ink.rows > hidden.bottom,
    );
}
