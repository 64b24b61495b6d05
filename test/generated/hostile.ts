import fc from 'fast-check'

const TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'a\udc00b',
  '\u202etxt.exe\u202c',
  '\u2066a\u2069',
  '\ufeff',
  '\u2028',
  'e\u0301'.repeat(2_000),
  '😀'.repeat(200),
  'a'.repeat(200_000),
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e400',
  '0x10',
  '%',
  '%00',
  '%s%n',
  '_',
  '\\',
  '$1',
  '{{7*7}}',
  "'; drop table products;--",
  "' or '1'='1",
  '" or ""="',
  '1); select pg_sleep(10)--',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  'a\r\nBcc: everyone@example.com',
  '2026-02-30T25:61:61Z',
  '+275760-09-13T00:00:00Z',
  '9999-12-31T23:59:59-23:59',
  'http://169.254.169.254/',
  'http://[::1]:1/',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'ftp://127.0.0.1/',
  'http://user:pass@127.0.0.1/',
]
const NUMBERS = [-1, 0, -0, 0.5, 1.5, 1e-9, -(2 ** 31) - 1, 2 ** 31, 2 ** 53, -(2 ** 53), 1e21, 1e300, -1e300]
const NAMES = ['__proto__', 'constructor', 'prototype', 'id', 'account_id', 'created_at', 'object', 'unknown', '', '\0']

/** Any unit of Unicode, also half of a pair. fast-check's own needs seconds to list them all. */
const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point))
export const anyText = fc.string({ unit: anyCharacter })
export const hostileText = fc.constantFrom(...TEXTS)
export const hostileName = fc.constantFrom(...NAMES)

/** What no field expects, or only some fields do. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom(...NUMBERS),
  fc.constantFrom<unknown>(null, true, false, [], {}, [null], [[]], [{}], { key: null }, { '': '' }),
  fc.array(hostileText, { maxLength: 3 }),
  fc.dictionary(hostileName, hostileText, { maxKeys: 3, noNullPrototype: true }),
  fc.jsonValue({ maxDepth: 3, stringUnit: anyCharacter }),
  fc.constant('x').map((text) => Array.from({ length: 2_000 }, () => text)),
)
