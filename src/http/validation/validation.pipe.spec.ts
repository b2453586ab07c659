import { IsInt, validateSync, getMetadataStorage } from 'class-validator';
import { rememberRules } from './validation.pipe.js';

class Parent {
  @IsInt() copies: unknown;
}
class Child extends Parent {
  @IsInt() pages: unknown;
}

describe('remembered rules', () => {
  it('searches the rules of a class once', () => {
    const searched: object[] = [];
    const storage = {
      getTargetValidationMetadatas: (type: object) => {
        searched.push(type);
        return [];
      },
    } as unknown as Parameters<typeof rememberRules>[0] & object;
    rememberRules(storage);
    for (const type of [Parent, Child, Parent, Child])
      storage.getTargetValidationMetadatas(type, '', false, false, undefined);
    expect(searched).toEqual([Parent, Child]);
  });

  it('still checks the rules of a class and of its parent, at the first object and later ones', () => {
    rememberRules(getMetadataStorage());
    const broken = () => validateSync(Object.assign(new Child(), { copies: 'x', pages: 'y' }));
    for (let n = 0; n < 2; n++)
      expect(
        broken()
          .map(({ property }) => property)
          .sort(),
      ).toEqual(['copies', 'pages']);
    expect(validateSync(Object.assign(new Parent(), { copies: 1, pages: 'y' }))).toEqual([]);
  });
});
