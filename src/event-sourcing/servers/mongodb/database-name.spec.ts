import { databaseOf } from './mongo-home.js';

describe('naming the database', () => {
  it.each([
    ['mongodb://h/rps', 'rps'],
    ['mongodb://u:p@h1:27017,h2/print%2Ding?authSource=admin', 'print-ing'],
    ['mongodb+srv://u:p@h/ours', 'ours'],
    ['mongodb://h', 'rps'],
    ['mongodb://h/?replicaSet=rs0', 'rps'],
    ['mongodb://h?tls=true&tlsCAFile=/etc/ca.crt', 'rps'],
    ['mongodb://h/administration', 'administration'],
  ])('%s keeps the read models in %s', (url, database) => {
    expect(databaseOf(url)).toBe(database);
  });

  it.each(['admin', 'local', 'config', 'Admin', 'ad%6Din'])('refuses a system database: %s', (name) => {
    const naming = () => databaseOf(`mongodb://rps:s3cret@h/${name}?replicaSet=rs0`);
    expect(naming).toThrow(/^the database \w+ belongs to MongoDB itself: /);
    expect(naming).not.toThrow(/s3cret/);
  });

  it('refuses an invalid name', () => {
    expect(() => databaseOf('mongodb://h/100%')).toThrow(/percent-encoded/);
  });
});
