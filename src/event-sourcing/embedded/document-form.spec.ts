import Database from 'better-sqlite3';
import fc from 'fast-check';
import type { ViewDefinition, ViewDocument } from '../../kernel/projection.js';
import { creationPositionFrom } from '../projections/creation-order.js';
import { prepareForWriting } from './connection.js';
import { DocumentForm, compactId } from './document-form.js';
import { ViewTable } from './view-table.js';

const opened = () => {
  const db = prepareForWriting(new Database(':memory:'));
  const shapes = () => db.prepare('SELECT count(*) FROM shapes').pluck().get();
  const codec = new DocumentForm(db);
  const encoder = codec.encoder(new Map());
  const encode = (document: ViewDocument) => encoder(document, 'an id');
  return { db, codec, encode, shapes };
};

/** What a row with the document gives. */
const stored = (db: Database.Database, codec: DocumentForm, doc: string) => {
  db.exec('CREATE TABLE plain (birth INTEGER PRIMARY KEY, id, revision, doc)');
  db.prepare('INSERT INTO plain VALUES (1, ?, 0, ?)').run('an id', doc);
  return [...codec.documents('plain')][0]?.document;
};

const view: ViewDefinition = { name: 'sample', version: 1, indexes: [{ fields: ['owner', 'open'] }] };
const ID = '01a208dc-c239-741b-82c3-6ef9692ab525';

describe('documents as arrays', () => {
  it('survive a round trip as in JSON, over any connection', () => {
    const { db, codec } = opened();
    const table = new ViewTable(db, codec, view, 'view_sample', { cachedDocuments: 10 });
    const names = fc
      .oneof(fc.constantFrom('id', 'status', 'a b', '', '__proto'), fc.string())
      .filter((name) => name !== '__proto__'); // No field of a view: assigning it sets no property.
    const text = fc.oneof(
      fc.uuid(),
      fc.constantFrom(ID, '\ud800', 'a\0b', ''),
      fc.string({ unit: 'binary' }),
    );
    const fields = fc.dictionary(names, fc.oneof(text, fc.jsonValue(), fc.constant(undefined)));
    const owner = fc.oneof(text, fc.boolean(), fc.constantFrom(null, undefined));
    const document = fc.tuple(fields, owner, fc.option(fc.boolean())).map(([rest, owner, open]) => ({
      ...rest,
      ...{ owner, open },
    }));
    const load = () =>
      new ViewTable(db, new DocumentForm(db), view, 'view_sample', { cachedDocuments: 10 }).load(ID)!
        .document;
    let before: ReturnType<ViewTable['load']>;
    fc.assert(
      fc.property(document, (given) => {
        const after = {
          document: given,
          revision: 0,
          creationPosition: creationPositionFrom({ created: 0, row: 1 }),
        };
        table.write({ id: ID, before, after });
        before = after;
        expect(load()).toEqual(JSON.parse(JSON.stringify(given)));
        expect(Object.keys(load())).toEqual(Object.keys(JSON.parse(JSON.stringify(given)) as object));
      }),
      { numRuns: 300 },
    );
  });

  it('store the names of their fields once', () => {
    const { encode, shapes } = opened();
    expect(encode({ job_id: '1', failure_code: undefined, copies: 2 })).toBe('[1,"1",2]');
    expect(encode({ job_id: '2', copies: 3 })).toBe('[1,"2",3]');
    expect(encode({ copies: 3, job_id: '2' })).toBe('[2,3,"2"]');
    expect(shapes()).toBe(2);
  });

  it('omit the UUIDs that columns hold', () => {
    const { db, codec } = opened();
    const columns = new Map([
      ['account_id', 'f_account_id'],
      ['note', 'f_note'],
    ]);
    const document = { job_id: ID, account_id: ID.replace('0', 'a'), note: 'a', copies: 2 };
    const doc = codec.encoder(columns)(document, ID);
    expect(doc).toBe('[1,"a",2]');
    const read = (table: string, column: string, value: unknown) => {
      db.exec(`CREATE TABLE ${table} (birth INTEGER PRIMARY KEY, id, revision, ${column}, doc)`);
      db.prepare(`INSERT INTO ${table} VALUES (1, ?, 0, ?, ?)`).run(compactId(ID), value, doc);
      return [...codec.documents(table)];
    };
    const account = compactId(document.account_id);
    expect(read('whole', 'f_account_id', account)).toMatchObject([{ id: ID, document }]);
    expect(() => read('torn', 'f_account_id', null)).toThrow(TypeError);
    expect(() => read('less', 'f_note', 'a')).toThrow(RangeError);
  });

  it('are plain JSON beyond the maximum number of shapes', () => {
    const { encode, shapes } = opened();
    for (let n = 0; n < 2_000; n++) encode({ [`field_${n}`]: n });
    expect(encode({ other: 1 })).toBe('{"other":1}');
    expect(encode({ field_7: 1 })).toBe('[8,1]');
    expect(shapes()).toBe(2_000);
  });

  it('store their shape again after a rollback', () => {
    const { db, codec, encode } = opened();
    db.exec('BEGIN');
    encode({ lost: 1 });
    db.exec('ROLLBACK');
    codec.invalidate();
    encode({ other: 1 });
    expect(stored(db, codec, encode({ lost: 1 }))).toEqual({ lost: 1 });
  });

  it('of older releases are read unchanged', () => {
    const db = new Database(':memory:');
    expect(stored(db, new DocumentForm(db), '{"job_id":"1"}')).toEqual({ job_id: '1' });
  });
});
