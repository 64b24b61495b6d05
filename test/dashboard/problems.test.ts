import { describe, expect, it } from 'vitest'
import { missingParameter } from '../../src/contract/declarations/errors.ts'
import { problemsOf } from '../../src/pages/dashboard/derived/problem-words.ts'
import { Discount } from '../../src/resources/catalog/discount/discount.ts'

describe('The problems of a form', () => {
  it('say what is blank in words of the form, not of the API', () => {
    const { code, message, details } = missingParameter('code', ['discount_type'], 'Unknown here: percent.')
    expect(problemsOf({ code, message, param: details.param! }, Discount.fields)).toEqual([
      { field: expect.any(String), message: "Code can't be blank." },
    ])
    const chosen = problemsOf({ code, message, param: 'discount_type' }, Discount.fields)
    expect(chosen[0]!.message).toBe('Choose a discount type.')
  })
})
