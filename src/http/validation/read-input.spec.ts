import type { Type } from '@nestjs/common';
import { Expose, Transform, Type as TypeOf } from 'class-transformer';
import { getMetadataStorage, IsInt, Length, Matches, ValidateIf } from 'class-validator';
import { Field } from './field.js';
import { integer, listOf, object, text } from './rules.js';
import { validated } from './read-input.js';

const problemsOf = (type: Type<object>, given: object) => validated(type, given).problems;
const short = text({ max: 8 });

describe('validating by decorators besides those of @Field', () => {
  it('applies the rules of class-validator', () => {
    class Document {
      @Field(short) @Matches(/^d/) title!: string;
      @Field(integer(1, 9)) @IsInt() @ValidateIf((_, value) => value !== 7) copies!: number;
    }
    expect(problemsOf(Document, { title: 'deed', copies: 7 })).toEqual([]);
    expect(problemsOf(Document, { title: 'reed', copies: 'x' })).toEqual([
      'title title must match /^d/ regular expression',
      'copies copies must be an integer number',
    ]);
  });

  it('converts as class-transformer does', () => {
    class Dated {
      @Field({ ...short, accepts: (value) => value instanceof Date }) @TypeOf(() => Date) at!: Date;
    }
    class Renamed {
      @Field(short) @Expose({ name: 'titel' }) title?: string;
      @Field(short, { optional: true }) titel?: string;
    }
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

  it('names the path of a broken rule inside a nested object', () => {
    class Part {
      @Field({ ...short, accepts: Array.isArray }) @Length(1, 3, { each: true }) tags!: string[];
    }
    class Whole {
      @Field(object(() => Part)) part!: Part;
    }
    expect(validated(Whole, { part: { tags: ['abc'] } }).value?.part).toBeInstanceOf(Part);
    expect(problemsOf(Whole, { part: { tags: ['abcd'] } })).toEqual([
      'part.tags each value in tags must be longer than or equal to 1 and shorter than or equal to 3 characters',
    ]);
  });

  it('refuses an array in place of an object', () => {
    class Part {
      @Field(short, { optional: true }) tag?: string;
    }
    class Whole {
      @Field(
        listOf(
          object(() => Part),
          { max: 2 },
        ),
      )
      parts!: Part[];
    }
    const rule = 'parts must be a list of 0 to 2 values, each of which must be an object';
    expect(problemsOf(Whole, { parts: [[]] })).toEqual([rule]);
    expect(problemsOf(Whole, { parts: [{ toString: 1 }] })).toEqual([
      'parts[0].toString is not a known field',
    ]);
  });
});

describe('validating a class', () => {
  it('makes the class known to class-validator', () => {
    class Document {
      @Field(short) title!: string;
    }
    const rules = () => getMetadataStorage().getTargetValidationMetadatas(Document, '', false, false);
    expect(rules()).toEqual([]);
    expect(problemsOf(Document, { title: 'too long a title' })).toHaveLength(1);
    expect(rules()).toHaveLength(1);
  });
});
