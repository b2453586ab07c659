import type { Type } from '@nestjs/common';
import { Expose, Transform, Type as TypeOf } from 'class-transformer';
import { IsInt, Length, Matches, ValidateIf } from 'class-validator';
import { checkingPlan } from './checking-plan.js';
import { Field, FROM_BODY } from './field.js';
import { readingPlan } from './reading-plan.js';
import { integer, object, text } from './rules.js';
import { validated } from './validation.pipe.js';

const problemsOf = (type: Type<object>, given: object) => validated(type, given).problems;
const short = text({ max: 8 });

describe('validating by decorators besides those of @Field', () => {
  it('checks those that class-validator asks about a value alone', () => {
    class Document {
      @Field(short) @Matches(/^d/) title!: string;
      @Field(integer(1, 9)) @IsInt() @ValidateIf((_, value) => value !== 7) copies!: number;
    }
    expect(checkingPlan(Document)).toBeDefined();
    expect(problemsOf(Document, { title: 'deed', copies: 7 })).toEqual([]);
    expect(problemsOf(Document, { title: 'reed', copies: 'x' })).toEqual([
      'title title must match /^d/ regular expression',
      'copies copies must be an integer number',
    ]);
  });

  it('leaves to class-validator what it does otherwise', () => {
    class Document {
      @Field(short) title!: string;
      @Field({ ...short, accepts: Array.isArray }) @Length(1, 3, { each: true }) tags!: string[];
    }
    expect(checkingPlan(Document)).toBeUndefined();
    expect(problemsOf(Document, { title: 'deed', tags: ['a', 'bcd'] })).toEqual([]);
    expect(problemsOf(Document, { title: '', tags: ['a', 'bcde'] })).toHaveLength(2);
  });

  it('leaves to class-transformer what it does otherwise', () => {
    class Dated {
      @Field({ ...short, accepts: (value) => value instanceof Date }) @TypeOf(() => Date) at!: Date;
    }
    class Renamed {
      @Field(short) @Expose({ name: 'titel' }) title?: string;
      @Field(short, { optional: true }) titel?: string;
    }
    for (const type of [Dated, Renamed]) expect(readingPlan(type, FROM_BODY)).toBeUndefined();
    expect(validated(Dated, { at: '2026-11-21' }).value).toEqual({ at: new Date('2026-11-21') });
    expect(validated(Renamed, { titel: 'deed' }).value).toEqual({ title: 'deed' });
  });

  it('applies transformations in the order of class-transformer', () => {
    class Document {
      @Field({ ...short, normalise: (title: string) => `${title}!` })
      @Transform(({ value, key }: { value: string; key: string }) => `${key} ${value}`)
      title!: string;
    }
    expect(validated(Document, { title: 'a' }).value).toEqual({ title: 'title a!' });
  });
});

describe('validating nested objects by a class with other decorators', () => {
  class Part {
    @Field({ ...short, accepts: Array.isArray }) @Length(1, 3, { each: true }) tags!: string[];
  }
  class Whole {
    @Field(object(() => Part)) part!: Part;
  }

  it('asks the libraries about these objects', () => {
    expect(checkingPlan(Whole)).toBeDefined();
    expect(validated(Whole, { part: { tags: ['abc'] } }).value?.part).toBeInstanceOf(Part);
    expect(problemsOf(Whole, { part: { tags: ['abcd'] } })).toEqual([
      'part.tags each value in tags must be longer than or equal to 1 and shorter than or equal to 3 characters',
    ]);
  });
});
