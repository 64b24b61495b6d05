import { expect, test } from 'vitest'
import { Journal } from '../../src/mcp/program/journal.ts'

const UPDATE = 'PATCH /products/{id_or_slug}'
const patch = (id: string) => ({ method: 'PATCH', path: `/products/${id}` })
const answer = (status: number, body: Record<string, unknown>, operation: string | null = UPDATE) => ({
  status,
  body,
  operation,
})

test('calls that wrote are told by operation, with a count and samples', () => {
  const journal = new Journal()
  for (const id of ['prod_1', 'prod_2', 'prod_3', 'prod_4']) journal.end(journal.begin(patch(id)), answer(200, { id }))
  const samples = ['prod_1', 'prod_2', 'prod_3'].map((id) => ({ path: `/products/${id}`, id }))
  expect(journal.shown()).toEqual({ calls: [{ operation: UPDATE, status: 200, count: 4, samples }] })
})

test('a refused call is told apart from those that were carried out, and says why', () => {
  const journal = new Journal()
  journal.end(journal.begin(patch('prod_1')), answer(200, { id: 'prod_1' }))
  const refusal = { error: { message: 'Status is not one of draft, active' } }
  journal.end(journal.begin(patch('prod_2')), answer(422, refusal))
  expect(journal.shown().calls).toMatchObject([
    { status: 200, count: 1 },
    { status: 422, samples: [{ path: '/products/prod_2', error: 'Status is not one of draft, active' }] },
  ])
  expect(journal.calls[1]).toMatchObject({ status: 422, id: null, error: 'Status is not one of draft, active' })
})

test('reads are left out unless they were refused, and a call that was never answered is there', () => {
  const journal = new Journal()
  const get = { method: 'GET', path: '/products' }
  journal.end(journal.begin(get), answer(200, { object: 'list' }, 'GET /products'))
  journal.end(journal.begin({ ...get, path: '/product' }), answer(404, { error: { message: 'No path' } }, null))
  journal.begin(patch('prod_1'))
  expect(journal.shown()).toEqual({
    calls: [
      { operation: 'GET /product', status: 404, count: 1, samples: [{ path: '/product', error: 'No path' }] },
      { operation: 'PATCH /products/prod_1', status: null, count: 1, samples: [{ path: '/products/prod_1' }] },
    ],
  })
})

test('however many operations there are, an answer stays small and the log keeps the last calls', () => {
  const journal = new Journal()
  for (let index = 0; index < 120; index++) {
    const path = `/unknown${index}`
    journal.end(journal.begin({ method: 'POST', path }), answer(404, { error: { message: 'No path' } }, null))
  }
  const shown = journal.shown()
  expect(shown.calls).toHaveLength(20)
  expect(shown.calls_left_out).toBe(100)
  expect(journal.calls).toHaveLength(50)
  expect(journal.calls.at(-1)!.path).toBe('/unknown119')
  expect(journal.count).toBe(120)
})
