import { describe, expect, it } from 'vitest'
import { inputName } from '../../../src/contract/declarations/noun.ts'
import { narrowRoles } from '../../../src/contract/declarations/role-rights.ts'
import { deliveredEvents, expandableNames } from '../../../src/contract/documents/describe.ts'
import { errorCodes } from '../../../src/contract/documents/error-responses.ts'
import { valueSchema } from '../../../src/contract/documents/schemas.ts'
import { findNoun, operations, textOf } from './catalogue.ts'

/** Said once in the map. */
const IN_THE_MAP = ['parameter_missing', 'permission_denied', 'resource_missing', 'validation_failed']
/** Those, and what is only about requests over HTTP. */
const OF_ANY = [
  ...IN_THE_MAP,
  'parameter_invalid',
  'parameter_unknown',
  'invalid_json',
  'idempotency_key_in_use',
  'idempotency_key_reused',
]

describe.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
  'The page of %s',
  (name, operation) => {
    const text = textOf(name)
    const lines = text.split('\n')

    it('begins with the operation and what it does', () => {
      expect(lines[1]).toContain(`## ${name}: ${operation.summary}`)
      expect(lines[1]).toContain(operation.description)
    })

    it('describes each filter, and each field of the body with its values, limits and whether it is required', () => {
      const ofLists = ['limit', 'starting_after', 'created_at']
      for (const [key, { spec, form }] of Object.entries(operation.query)) {
        if (operation.answersList && 'created_at' in operation.query && ofLists.includes(key)) continue
        const line = lines.find((one) => new RegExp(`^\\?${key}(?:$|[^a-z_])`).test(one))
        const ranges = lines.find((one) => one.startsWith('ranges ')) ?? ''
        if (form === 'range' || form === 'bounds') expect(ranges).toMatch(new RegExp(`[ ,]${key}(?:,|$)`))
        else expect([key, line]).toEqual([key, expect.stringContaining(form === 'several' ? '[]' : key)])
        for (const value of (valueSchema({ spec }).enum as string[] | undefined) ?? [])
          if (form !== 'range' && form !== 'bounds') expect(line).toContain(value)
      }
      for (const [key, field] of Object.entries(operation.body ?? {})) {
        const required = operation.bodyMode === 'create' && field.spec.required
        const line = lines.find((one) => new RegExp(`^${inputName(key, field)}(?:$|[^a-z_])`).test(one))
        expect([key, line?.startsWith(`${inputName(key, field)}*`)]).toEqual([key, required])
        const { enum: values, maxLength } = field.spec.writtenJson ?? valueSchema(field)
        for (const value of (values as string[] | undefined) ?? []) expect(line).toContain(value)
        if (maxLength !== undefined) expect(line).toContain(`<=${maxLength}`)
      }
    })

    it('says what it answers, refuses and emits', () => {
      const answers = lines.find((one) => one.startsWith('Answers '))
      const names = operation.expandable ? expandableNames(operation.noun, findNoun) : []
      for (const one of operation.kind === 'delete' ? [] : names) expect(answers).toContain(one)
      const refuses = lines.find((one) => one.startsWith('Refuses ')) ?? ''
      for (const code of errorCodes(operation)) if (!OF_ANY.includes(code)) expect(refuses).toContain(code)
      const emits = lines.find((one) => one.startsWith('Emits ')) ?? ''
      for (const type of deliveredEvents(operation)) expect(emits).toContain(type)
      const narrow = narrowRoles(operation.needs)
      if (narrow) expect(text).toContain(`needs the role ${narrow.join(' or ')}`)
    })
  },
)

it('leaves to the map what nearly any call can be refused with', () => {
  for (const code of IN_THE_MAP) expect(textOf()).toContain(code)
})

it('names what exists in place of a call that does not', () => {
  expect(textOf('GET /checkouts')).toBe(
    'No operation is "GET /checkouts". There is: POST /checkouts, GET /checkouts/{id}, PATCH /checkouts/{id}.',
  )
  expect(textOf('GET /product')).toContain('The nearest resource: product.')
  expect(textOf('GET /folders')).toBe('No operation is "GET /folders".')
})

it('says what the entries of a body take, also where nothing describes them', () => {
  expect(textOf('POST /forms')).toMatch(
    /\{id; type\*: email\|text\|.*\|url; label\*; required; placeholder; options; position\}/,
  )
})
