import { describe, expect, it } from 'vitest'
import { PRODUCT } from '../../src/assembly.ts'
import type { Field } from '../../src/contract/declarations/field.ts'
import { isLongerThan } from '../../src/contract/values/text-length.ts'

const { dashboard, shop } = PRODUCT

/** A letter that takes four bytes of UTF-8, and two units of UTF-16. */
const LETTER = '𐍈'

/** Fields of bodies that hold any text, with the characters that their documents allow. */
function* textFields(): Generator<[name: string, field: Field, max: number]> {
  for (const { operations, dashboard: own } of [...shop, ...dashboard])
    for (const { id, body } of [...operations, ...own])
      for (const [name, field] of Object.entries(body ?? {})) {
        const { maxLength, pattern, format, enum: listed } = field.spec.json ?? {}
        const isAnyText =
          field.spec.type === 'string' && typeof maxLength === 'number' && !pattern && !format && !listed
        if (isAnyText && field.spec.schema.safeParse(LETTER.repeat(3)).success)
          yield [`${id} ${name}`, field, maxLength]
      }
}

describe('Every text of a body', () => {
  it('takes as many characters as its document says, of any script', () => {
    const wrong: string[] = []
    let count = 0
    for (const [name, { spec }, max] of textFields()) {
      count += 1
      if (!spec.schema.safeParse(LETTER.repeat(max)).success) wrong.push(`${name} refuses ${max}`)
      if (spec.schema.safeParse(LETTER.repeat(max + 1)).success) wrong.push(`${name} takes ${max + 1}`)
    }
    expect(wrong).toEqual([])
    expect(count).toBeGreaterThan(50)
  })
})

it('A text is longer than another number of characters by what people count', () => {
  for (const [text, max, longer] of [
    ['', 0, false],
    ['abc', 3, false],
    ['abc', 2, true],
    [LETTER.repeat(3), 3, false],
    [LETTER.repeat(3), 2, true],
    [LETTER.repeat(9), 3, true],
    [`a${LETTER}`, 2, false],
  ] as const)
    expect([text, isLongerThan(text, max)]).toEqual([text, longer])
})
