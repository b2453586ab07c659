import { PDFName, PDFNumber, PDFString, rgb, type PDFDocument, type PDFPage, type PDFRef } from 'pdf-lib';
import { drawnPdf } from './sample-pdfs.js';

const SIZE: [number, number] = [300, 300];
/** Where each is, in points. */
const BOX = { x: 50, y: 100, width: 200, height: 40, borderWidth: 0 };
const CORNERS = { left: 50, right: 250, top: 140, bottom: 100 };

/** What can lie on a page, beside its own text and lines. */
export const FORM_KINDS = [
  ...(['text', 'text without appearance', 'checkbox', 'radio', 'choice', 'signature'] as const),
  ...(['stamp', 'square without appearance', 'highlight', 'free text'] as const),
];
export type FormKind = (typeof FORM_KINDS)[number];

/** A page with nothing but a filled field or an annotation. */
export function formPdf(kind: FormKind, flags = 4): Promise<Buffer> {
  return drawnPdf(SIZE, (page, document) => {
    if (!addField(kind, page, document, flags)) addAnnotation(kind, page, document, flags);
  });
}

function addField(kind: FormKind, page: PDFPage, document: PDFDocument, flags: number): boolean {
  const form = document.getForm();
  switch (kind) {
    case 'checkbox': {
      const box = form.createCheckBox('agree');
      box.addToPage(page, BOX);
      box.check();
      return true;
    }
    case 'radio': {
      const group = form.createRadioGroup('choice');
      group.addOptionToPage('yes', page, BOX);
      group.select('yes');
      return true;
    }
    case 'choice': {
      const list = form.createDropdown('list');
      list.addOptions(['one', 'two']);
      list.select('two');
      list.addToPage(page, BOX);
      return true;
    }
    case 'text':
    case 'text without appearance': {
      const field = form.createTextField('name');
      field.setText('Filled 42');
      field.addToPage(page, { ...BOX, backgroundColor: rgb(1, 1, 1) });
      form.updateFieldAppearances();
      const widget = field.acroField.getWidgets()[0]?.dict;
      widget?.set(PDFName.of('F'), PDFNumber.of(flags));
      if (kind !== 'text') widget?.delete(PDFName.of('AP'));
      return true;
    }
    default:
      return false;
  }
}

function addAnnotation(kind: FormKind, page: PDFPage, document: PDFDocument, flags: number): void {
  const { context } = document;
  const { left, right, top, bottom } = CORNERS;
  const annotate = (more: Record<string, unknown>): PDFRef => {
    const Rect = [left, bottom, right, top];
    const reference = context.register(context.obj({ Type: 'Annot', Rect, F: flags, ...more } as never));
    page.node.addAnnot(reference);
    return reference;
  };
  const form = { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, BOX.width, BOX.height] };
  const AP = { N: context.register(context.stream('0 0 1 rg 0 0 200 40 re f', form)) };
  if (kind === 'stamp') annotate({ Subtype: 'Stamp', AP });
  if (kind === 'free text') annotate({ Subtype: 'FreeText', AP });
  if (kind === 'square without appearance') annotate({ Subtype: 'Square', C: [1, 0, 0] });
  if (kind === 'highlight')
    annotate({
      ...{ Subtype: 'Highlight', C: [1, 0, 0] },
      QuadPoints: [left, top, right, top, left, bottom, right, bottom],
    });
  if (kind === 'signature')
    document
      .getForm()
      .acroForm.addField(annotate({ Subtype: 'Widget', FT: 'Sig', T: PDFString.of('signed'), AP }));
}
