import Database from 'better-sqlite3';
import fc from 'fast-check';
import { prepareForWriting } from './connection.js';
import { DocumentCodec } from './document-codec.js';

const opened = () => {
  const db = prepareForWriting(new Database(':memory:'));
  const shapes = () => db.prepare('SELECT count(*) FROM shapes').pluck().get();
  return { db, codec: new DocumentCodec(db), shapes };
};

describe('documents as arrays', () => {
  it('come back as JSON would give them, from any connection', () => {
    const { db, codec } = opened();
    const names = fc.oneof(fc.constantFrom('id', 'status', 'a b', '', '__proto'), fc.string());
    const document = fc.dictionary(names, fc.oneof(fc.jsonValue(), fc.constant(undefined)));
    fc.assert(
      fc.property(document, (given) => {
        const read = new DocumentCodec(db).decode(codec.encode(given));
        expect(read).toEqual(JSON.parse(JSON.stringify(given)));
        expect(Object.keys(read)).toEqual(Object.keys(JSON.parse(JSON.stringify(given)) as object));
      }),
    );
  });

  it('hold the names of their fields once', () => {
    const { codec, shapes } = opened();
    expect(codec.encode({ job_id: '1', failure_code: undefined, copies: 2 })).toBe('[1,"1",2]');
    expect(codec.encode({ job_id: '2', copies: 3 })).toBe('[1,"2",3]');
    expect(codec.encode({ copies: 3, job_id: '2' })).toBe('[2,3,"2"]');
    expect(shapes()).toBe(2);
  });

  it('are plain JSON when there are too many lists of fields', () => {
    const { codec, shapes } = opened();
    for (let n = 0; n < 2_000; n++) codec.encode({ [`field_${n}`]: n });
    expect(codec.encode({ other: 1 })).toBe('{"other":1}');
    expect(codec.encode({ field_7: 1 })).toBe('[8,1]');
    expect(shapes()).toBe(2_000);
  });

  it('keep their shape when a rollback took it back', () => {
    const { db, codec } = opened();
    db.exec('BEGIN');
    codec.encode({ lost: 1 });
    db.exec('ROLLBACK');
    codec.forget();
    codec.encode({ other: 1 });
    expect(codec.decode(codec.encode({ lost: 1 }))).toEqual({ lost: 1 });
  });

  it('of older releases are read as they are', () => {
    const db = new Database(':memory:');
    expect(new DocumentCodec(db).decode('{"job_id":"1"}')).toEqual({ job_id: '1' });
  });
});
