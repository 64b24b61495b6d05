import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../src/contract/declarations/errors.ts'
import { flag, integer, metadata, oneOf, text, timestamp } from '../../src/contract/declarations/kinds.ts'
import { noun } from '../../src/contract/declarations/noun.ts'
import { entries, one, range, several } from '../../src/contract/declarations/parameter.ts'
import { readQueryString } from '../../src/contract/requests/given.ts'
import { LIST_PARAMETERS, parseQuery } from '../../src/contract/requests/query.ts'

const kind = oneOf(['small', 'large'], 'Kind', { aliases: { big: 'large' } })
const operation = {
  method: 'POST' as const,
  path: '/things',
  noun: noun('thing', { prefix: 'thing', group: 'Things', description: 'A thing.', fields: {} }),
  expandable: true,
  body: { name: text('Name'), owner: text('Owner').writtenAs('owner_id') },
  query: {
    ...LIST_PARAMETERS,
    on: one(flag('On')),
    kind: several(kind),
    words: text('Words', { max: 10 }),
    amount: range(integer('Amount', { min: 0 })),
    created_at: range(timestamp('When')),
    metadata: entries(metadata(), 'Pairs'),
  },
}

const parse = (query: Record<string, unknown>) => parseQuery(query, operation).values
const read = (text: string) => parse(readQueryString(text))
const refusal = (query: Record<string, unknown> | string) => {
  try {
    if (typeof query === 'string') read(query)
    else parse(query)
  } catch (error) {
    if (error instanceof ApiError) return [error.code, error.details.param, error.message]
    throw error
  }
  throw new Error('The query was not refused.')
}
const within = (...bounds: [string, unknown][]) => ({ bounds: bounds.map(([bound, value]) => ({ bound, value })) })

describe('A query', () => {
  it('is read from text, and from the plain values of a program', () => {
    expect(read('limit=5&on=true&kind=big')).toEqual({ limit: 5, on: true, kind: ['large'] })
    expect(parse({ limit: 5, on: false, words: 7 })).toEqual({ limit: 5, on: false, words: '7' })
    expect(parse({ limit: null, starting_after: null })).toEqual({ limit: 20 })
  })

  it('has several values in every form, without repetition', () => {
    const both = { limit: 20, kind: ['small', 'large'] }
    for (const query of [
      'kind=small&kind=large',
      'kind[]=small&kind[]=large',
      'kind[0]=small&kind[1]=big',
      'kind=small&kind[]=large&kind=big',
    ])
      expect([query, read(query)]).toEqual([query, both])
    expect(parse({ kind: ['small', 'big', 'large'] })).toEqual(both)
  })

  it('has bounds and exact values, over HTTP and in programs alike', () => {
    expect(read('amount=5').amount).toEqual({ anyOf: [5], bounds: [] })
    expect(parse({ amount: [5, '6'] }).amount).toEqual({ anyOf: [5, 6], bounds: [] })
    expect(read('amount[gte]=5&amount[lt]=9').amount).toEqual(within(['gte', 5], ['lt', 9]))
    expect(parse({ amount: { gte: 5, lt: '9' } })).toEqual(read('amount[gte]=5&amount[lt]=9'))
    expect(parse({ 'amount[gte]': 5, amount: { lt: 9 } })).toEqual(read('amount[gte]=5&amount[lt]=9'))
    expect(parse({ amount: {} })).toEqual({ limit: 20 })
  })

  it('has moments to the second, of which a date is the start in UTC', () => {
    const bound = (text: string) => (read(`created_at${text}`).created_at as ReturnType<typeof within>).bounds[0]!.value
    expect(bound('[gte]=2026-01-15')).toBe('2026-01-15T00:00:00Z')
    expect(bound('[lt]=2026-01-15T12:00:00%2B02:00')).toBe('2026-01-15T10:00:00Z')
    expect(bound('[lt]=2026-01-15T12:00:00+02:00')).toBe('2026-01-15T10:00:00Z')
    expect(['gt', 'gte', 'lt', 'lte'].map((name) => bound(`[${name}]=2026-01-15T10:00:00.5Z`))).toEqual([
      '2026-01-15T10:00:00Z',
      '2026-01-15T10:00:01Z',
      '2026-01-15T10:00:01Z',
      '2026-01-15T10:00:00Z',
    ])
    expect(bound('[gte]=2026-01-15T10:00:00.000Z')).toBe('2026-01-15T10:00:00Z')
    expect(bound('[gte]=9999-12-31T23:59:59.9Z')).toBe('9999-12-31T23:59:59Z')
  })

  it('has entries, whose keys are any text', () => {
    expect(read('metadata[campaign]=spring&metadata[0]=').metadata).toEqual({ campaign: 'spring', 0: '' })
    expect(parse({ metadata: { n: 5, on: true } }).metadata).toEqual({ n: '5', on: 'true' })
    const { metadata: odd } = parse({ metadata: JSON.parse('{"__proto__": "x"}') })
    expect(Object.entries(odd as object)).toEqual([['__proto__', 'x']])
  })

  it.each([
    [
      'stats=1',
      'parameter_unknown',
      'stats',
      'POST /things has no query parameter stats. It takes limit, starting_after, on,',
    ],
    ['odd=1', 'parameter_unknown', 'odd', 'amount, created_at, metadata.'],
    ['kind_id=x', 'parameter_unknown', 'kind_id', 'Did you mean kind?'],
    ['kinds[]=1', 'parameter_unknown', 'kinds', 'Did you mean kind?'],
    ['limit[=1', 'parameter_unknown', 'limit[', 'Did you mean limit?'],
    ['[limit]=1', 'parameter_unknown', '[limit]', 'Did you mean limit?'],
    ['=1', 'parameter_unknown', '', 'has no query parameter "". It takes'],
    ['__proto__=1', 'parameter_unknown', '__proto__', 'has no query parameter'],
    ['name=x', 'parameter_unknown', 'name', 'name belongs in the body of POST /things, not in the query.'],
    ['owner_id=x', 'parameter_unknown', 'owner_id', 'belongs in the body'],
    ['limit=5&limit=6', 'parameter_invalid', 'limit', 'limit takes one value, not 2'],
    ['limit=0', 'parameter_invalid', 'limit', 'limit must be at least 1'],
    ['limit=1e1', 'parameter_invalid', 'limit', 'limit must be an integer from 1 to 100, not "1e1"'],
    ['limit[gte]=5', 'parameter_invalid', 'limit[gte]', 'limit takes one value'],
    ['on=yes', 'parameter_invalid', 'on', 'on must be true or false, not "yes"'],
    ['kind=smal', 'parameter_invalid', 'kind', '(did you mean "small"?)'],
    ['kind=small,large', 'parameter_invalid', 'kind', '; several values are written kind[]=a&kind[]=b'],
    ['kind[gte]=small', 'parameter_invalid', 'kind[gte]', 'no bounds'],
    ['words=', 'parameter_invalid', 'words', "words can't be blank"],
    ['words=%00', 'parameter_invalid', 'words', 'NUL'],
    ['amount=-1', 'parameter_invalid', 'amount', 'amount must be at least 0'],
    ['amount[ge]=1', 'parameter_invalid', 'amount[ge]', '(did you mean "gte"?); use gt, gte, lt or lte'],
    ['amount[gte]=x', 'parameter_invalid', 'amount[gte]', 'must be an integer, not "x"'],
    ['amount[gte]=9999999999999999999', 'parameter_invalid', 'amount[gte]', 'must be an integer'],
    ['amount[gte]=1&amount[gte]=2', 'parameter_invalid', 'amount[gte]', 'takes one value, not 2'],
    ['amount[gte]=1&amount[gt]=2', 'parameter_invalid', 'amount[gt]', 'cannot be combined with amount[gte]'],
    ['amount[gt]=5&amount[lt]=4', 'parameter_invalid', 'amount[gt]', 'is 5, which is above amount[lt] (4)'],
    ['amount=5&amount[lt]=9', 'parameter_invalid', 'amount', 'either a value or bounds'],
    ['amount[][]=5', 'parameter_invalid', 'amount[][]', 'is not a bound of amount'],
    ['created_at=2026-01-15', 'parameter_invalid', 'created_at', 'created_at[gte]=2026-01-15'],
    ['created_at[gte]=2026-02-30', 'parameter_invalid', 'created_at[gte]', 'or a date such as 2026-01-15'],
    ['created_at[gte]=1700000000', 'parameter_invalid', 'created_at[gte]', 'must be an ISO 8601 timestamp'],
    ['metadata=x', 'parameter_invalid', 'metadata', 'metadata[key]=value'],
    ['metadata[]=x', 'parameter_invalid', 'metadata', 'metadata[key]=value'],
    ['metadata[a][b]=x', 'parameter_invalid', 'metadata[a][b]', 'is nested too deeply'],
    ['metadata[a]=x&metadata[a]=y', 'parameter_invalid', 'metadata[a]', 'takes one value, not 2'],
    [`metadata[${'k'.repeat(41)}]=x`, 'parameter_invalid', `metadata[${'k'.repeat(41)}]`, 'over 40 characters'],
    [`metadata[a]=${'v'.repeat(501)}`, 'parameter_invalid', 'metadata[a]', 'too long (maximum is 500 characters)'],
  ])('of %j is refused', (query, code, param, message) => {
    expect(refusal(query)).toEqual([code, param, expect.stringContaining(message)])
  })

  it.each([
    [{ kind: [] }, 'kind', 'at least one value'],
    [{ kind: null }, 'kind', 'must not be null'],
    [{ kind: ['small', null] }, 'kind', 'must not be null'],
    [{ kind: [['small']] }, 'kind', 'must be text, not ["small"]'],
    [{ kind: Array.from({ length: 21 }, () => 'small') }, 'kind', 'at most 20 values, not 21'],
    [{ words: { a: 'b' } }, 'words[a]', 'one value'],
    [{ words: [{ a: 'b' }] }, 'words', 'must be text, not {"a":"b"}'],
    [{ amount: null }, 'amount', 'must not be null'],
    [{ amount: { gte: null } }, 'amount[gte]', 'must be an integer, not null'],
    [{ amount: { gte: 1.5 } }, 'amount[gte]', 'must be an integer, not 1.5'],
    [{ amount: { gte: { lt: 1 } } }, 'amount[gte]', 'must be an integer'],
    [{ amount: { gte: true } }, 'amount[gte]', 'must be an integer, not true'],
    [{ created_at: { gte: 5 } }, 'created_at[gte]', 'must be an ISO 8601 timestamp'],
    [{ metadata: { a: null } }, 'metadata[a]', 'must be text, not null'],
    [{ metadata: { a: { b: 1 } } }, 'metadata[a]', 'must be text, not {"b":1}'],
    [
      { metadata: Object.fromEntries([...'abcdefghijk'].map((key) => [key, 'x'])) },
      'metadata',
      'at most 10 keys, not 11',
    ],
    [{ limit: { lt: 5 } }, 'limit[lt]', 'one value'],
  ])('of %j in a program is refused', (query, param, message) => {
    expect(refusal(query)).toEqual(['parameter_invalid', param, expect.stringContaining(message)])
  })

  it('of any JSON is parsed or refused, never more', () => {
    const names = fc.oneof(
      fc.constantFrom(...Object.keys(operation.query), 'expand', '__proto__', 'amount[gte]', 'metadata[a]', 'kind[]'),
      fc.string(),
    )
    const query = fc.dictionary(
      names,
      fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom('small', '5', '2026-01-15')),
    )
    fc.assert(
      fc.property(query, (given) => {
        try {
          parse(given)
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError)
          expect((error as ApiError).message.length).toBeLessThan(500)
        }
      }),
      { numRuns: 2000 },
    )
  })
})
