/** The JSON reader against JSON.parse, and the places that it names. */
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/main/capture/importers/json-places.ts';

function problem(text: string): string {
  const result = parseJson(text, 'x.json');
  if (result.ok) return '';
  const where = result.error[0]!.where;
  return where?.kind === 'line'
    ? `${where.file}:${where.line}:${where.column} ${result.error[0]!.message}`
    : 'no place';
}

describe('parseJson', () => {
  it.each([
    '{}',
    '[]',
    'null',
    ' -1.5e+3 ',
    '"a\\"\\\\\\u00e9\\n"',
    '{"a":[1,{"b":null,"c":[true,false,""]}],"":{},"d e":"x"}',
    '\n{ "a" :\t[ ] ,\r\n "b" : 1 }',
    '{"__proto__":{"x":1},"constructor":2}',
  ])('%s is what JSON.parse says', (text) => {
    const result = parseJson(text);
    expect(result.ok && JSON.stringify(result.value.value)).toBe(JSON.stringify(JSON.parse(text)));
  });

  it('skips a byte order mark', () => {
    const result = parseJson('\ufeff{"a":1}');
    expect(result.ok && result.value.value).toEqual({ a: 1 });
  });

  it('does not touch prototypes', () => {
    const result = parseJson('{"__proto__":{"polluted":1}}');
    expect(result.ok && Object.getPrototypeOf(result.value.value)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('knows where values stand', () => {
    const result = parseJson('{\n  "a": [1,\n    {"b": "xyz"}]\n}', 'f');
    if (!result.ok) throw new Error('parses');
    expect(result.value.placeOf(['a', 1, 'b'])).toEqual({ kind: 'line', line: 3, column: 11, length: 5, file: 'f' });
    expect(result.value.placeOf(['a', 1])).toEqual({ kind: 'line', line: 3, column: 5, length: 12, file: 'f' });
    expect(result.value.placeOf(['a', 7, 'b'])).toMatchObject({ line: 2, column: 8 });
    expect(result.value.placeOf([])).toMatchObject({ line: 1, column: 1, length: 1 });
  });

  it.each([
    ['', 'x.json:1:1 a value is missing'],
    ['{"a":1,}', "x.json:1:8 expected a key in double quotes, or '}'"],
    ['{"a" 1}', "x.json:1:6 expected ':'"],
    ['[1 2]', "x.json:1:4 expected ',' or ']'"],
    ['[1,\n  2,,3]', "x.json:2:5 unexpected ','"],
    ['{"a":1,\n "a":2}', 'x.json:2:2 key "a" appears twice'],
    ['"abc', 'x.json:1:1 the string has no end'],
    ['"\t"', 'x.json:1:1 not a valid string'],
    ['01', "x.json:1:1 '01' is not a JSON value"],
    ['[nul]', "x.json:1:2 'nul' is not a JSON value"],
    ['{} x', 'x.json:1:4 text after the end'],
    ['['.repeat(100_000), 'x.json:1:66 nested deeper than 64'],
  ])('%s', (text, message) => {
    expect(problem(text)).toContain(message);
  });
});
