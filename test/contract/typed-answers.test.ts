import { describe, expect, it } from 'vitest'
import { flag, integer, oneOf, text } from '../../src/contract/declarations/kinds.ts'
import { answerNoun, noun, type Row } from '../../src/contract/declarations/noun.ts'
import { custom, customList, outside } from '../../src/records/custom.ts'

const Quote = answerNoun('quote', {
  group: 'Parcels',
  description: 'What sending would cost.',
  fields: { zone: oneOf(['north', 'south'], 'The zone'), amount: integer('In cents'), note: text('A note').nullable() },
})

const Parcel = noun('parcel', {
  prefix: 'parcel',
  group: 'Parcels',
  description: 'Something on its way.',
  fields: { label: text('What is written on it').required(), late: flag('Whether it is late').derived() },
})

type Answer = { zone: 'north' | 'south'; amount: number; note: string | null }

const QUOTE = { method: 'GET', path: '/quotes', summary: 'Say what sending would cost', answers: Quote } as const
const PARCEL = { method: 'GET', path: '/parcels/last', summary: 'Show the last parcel', answers: Parcel } as const

/** Compiled, never called: each expected error is one that the compiler must find. */
function answersThatDoNotCompile(answer: Answer, parcel: Row<typeof Parcel>): void {
  custom({ ...QUOTE, id: 'whole', rule: async () => answer })
  custom({ ...QUOTE, id: 'inline', rule: async (_, { path }) => ({ ...answer, note: String(path) }) })
  // @ts-expect-error: the amount is missing.
  custom({ ...QUOTE, id: 'missing', rule: async () => ({ zone: answer.zone, note: null }) })
  // @ts-expect-error: the note is missing, and the rule has to say that there is none.
  custom({ ...QUOTE, id: 'silent', rule: async () => ({ zone: answer.zone, amount: 1 }) })
  // @ts-expect-error: the amount is misspelled.
  custom({ ...QUOTE, id: 'misspelled', rule: async () => ({ zone: answer.zone, amonut: 1, note: null }) })
  // @ts-expect-error: the amount is a number.
  custom({ ...QUOTE, id: 'wrong', rule: async () => ({ ...answer, amount: '1' }) })
  // @ts-expect-error: the amount is never null.
  custom({ ...QUOTE, id: 'null', rule: async () => ({ ...answer, amount: null }) })
  // @ts-expect-error: there is no such zone.
  custom({ ...QUOTE, id: 'zone', rule: async () => ({ ...answer, zone: 'east' }) })
  // @ts-expect-error: a quote has no such field.
  custom({ ...QUOTE, id: 'excess', rule: async () => ({ ...answer, weight: 1 }) })
  // @ts-expect-error: a quote has no such field, for rules with parameters as well.
  custom({ ...QUOTE, id: 'excess_call', rule: async (_, { path }) => ({ ...answer, weight: path }) })
  // @ts-expect-error: the amount is missing.
  outside({ ...QUOTE, id: 'outside', rule: async (_, { path }) => ({ zone: answer.zone, note: String(path) }) })
  customList({ ...QUOTE, id: 'list', rule: async () => ({ rows: [answer], hasMore: false }) })
  // @ts-expect-error: the amount of each row is missing.
  customList({ ...QUOTE, id: 'rows', rule: async () => ({ rows: [{ zone: answer.zone, note: '' }], hasMore: false }) })
  // @ts-expect-error: rows have no such field.
  customList({ ...QUOTE, id: 'columns', rule: async () => ({ rows: [{ ...answer, weight: 1 }], hasMore: false }) })
  custom({ ...PARCEL, id: 'row', rule: async () => parcel })
  custom({ ...PARCEL, id: 'derived', rule: async () => ({ ...parcel, late: true }) })
  // @ts-expect-error: a stored noun is answered with its row.
  custom({ ...PARCEL, id: 'fields', rule: async () => ({ id: parcel.id, label: parcel.label }) })
  // @ts-expect-error: a parcel has no such field.
  custom({ ...PARCEL, id: 'column', rule: async () => ({ ...parcel, weight: 1 }) })
}

describe('What custom rules answer', () => {
  it('is checked against the noun by the compiler', () => {
    expect(answersThatDoNotCompile).toHaveLength(2)
  })
})
