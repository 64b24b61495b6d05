import { expect, test } from 'vitest'
import { Journal, noteAnswer } from '../../src/mcp/program/journal.ts'

const answer = (status: number, body: Record<string, unknown>) => ({
  status,
  body,
  headers: {},
  operationId: 'x',
  ignored: [],
})
const patch = (body: Record<string, unknown>) => ({ method: 'PATCH', path: '/products/prod_1', query: {}, body })

test('calls stand in the order they were made, with status and id', () => {
  const journal = new Journal()
  const request = patch({ status: 'archived' })
  noteAnswer(journal.begin(request), request, answer(200, { id: 'prod_1', status: 'archived', name: 'Tea' }))
  journal.begin({ method: 'GET', path: '/account', query: {}, body: undefined })
  const written = { method: 'PATCH', path: '/products/prod_1', status: 200, id: 'prod_1' }
  expect(journal.shown()).toEqual({ calls: [written, { method: 'GET', path: '/account', status: null, id: null }] })
  expect(journal.shownChanges()).toEqual({ calls: [{ ...written, changed: { status: 'archived' } }] })
})

test('a refused call tells why', () => {
  const journal = new Journal()
  const request = patch({ status: 'x' })
  noteAnswer(journal.begin(request), request, answer(422, { error: { message: 'Status is not one of draft, active' } }))
  expect(journal.calls[0]).toMatchObject({ status: 422, id: null, error: 'Status is not one of draft, active' })
})

test('a delete and an action without a body tell what they changed', () => {
  const journal = new Journal()
  const remove = { method: 'DELETE', path: '/tags/tag_1', query: {}, body: undefined }
  noteAnswer(journal.begin(remove), remove, answer(200, { id: 'tag_1', object: 'tag', deleted: true }))
  const cancel = { method: 'POST', path: '/subscriptions/sub_1/cancel', query: {}, body: {} }
  noteAnswer(journal.begin(cancel), cancel, answer(200, { id: 'sub_1', status: 'canceled' }))
  expect(journal.calls.map((call) => call.changed)).toEqual([{ deleted: true }, { status: 'canceled' }])
})

test('of many calls the last are shown and the others counted', () => {
  const journal = new Journal()
  for (let index = 0; index < 120; index++) {
    journal.begin({ method: 'GET', path: `/products/${index}`, query: {}, body: undefined })
  }
  const shown = journal.shown() as { calls: { path: string }[]; calls_left_out: number }
  expect(shown.calls).toHaveLength(20)
  expect(shown.calls.at(-1)!.path).toBe('/products/119')
  expect(shown.calls_left_out).toBe(100)
  expect(journal.calls).toHaveLength(50)
})
