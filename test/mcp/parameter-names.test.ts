import { expect, test } from 'vitest'
import { ParameterNames } from '../../src/mcp/program/parameter-names.ts'
import type { Json, Tool } from '../../src/sandbox/api.ts'

const tool = (method: string, path: string, parameters: Json[], request_body: Json): Tool => ({
  method,
  path,
  summary: '',
  description: '',
  tags: [],
  parameters,
  request_body,
})
const query = (name: string): Json => ({ name, in: 'query' })
const names = new ParameterNames([
  tool('GET', '/products', [query('limit'), query('status'), query('starting_after')], null),
  tool('POST', '/products', [], { properties: { name: {} } }),
  tool('PATCH', '/products/{id_or_slug}', [{ name: 'id_or_slug', in: 'path' }, query('expand')], {
    content: { 'application/json': { schema: { type: 'object', properties: { name: {}, seo_title: {} } } } },
  }),
])

test('the field that was meant is named', () => {
  const request = { method: 'PATCH', path: '/products/tea', query: {}, body: {} }
  expect(names.ignored(request, 'seo_titel')).toBe(
    'PATCH /products/tea has no parameter `seo_titel`, so it was ignored; did you mean `seo_title`?',
  )
  expect(names.ignored(request, 'colour')).toBe(
    'PATCH /products/tea has no parameter `colour`, so it was ignored. It takes name, seo_title.',
  )
})

test('a field that only the change takes is sent there', () => {
  const request = { method: 'POST', path: '/products', query: {}, body: {} }
  expect(names.ignored(request, 'seo_title')).toBe(
    'POST /products has no parameter `seo_title`, so it was ignored. PATCH /products/{id_or_slug} accepts it.',
  )
})

test('a name inside a field is answered with those that its object takes', () => {
  const entries = { items: { type: 'object', properties: { price_variant: {}, quantity: {} } } }
  const byKey = { additionalProperties: { type: 'object', properties: { content: {}, media: {} } } }
  const posts = new ParameterNames([
    tool('POST', '/checkouts', [], { properties: { line_items: entries, overrides: byKey } }),
  ])
  const request = { method: 'POST', path: '/checkouts', query: {}, body: {} }
  expect(posts.ignored(request, 'line_items.3.qty')).toBe(
    'POST /checkouts has no parameter `line_items.3.qty`, so it was ignored. line_items.3 takes price_variant, quantity.',
  )
  expect(posts.ignored(request, 'overrides.x.comment')).toBe(
    'POST /checkouts has no parameter `overrides.x.comment`, so it was ignored. overrides.x takes content, media.',
  )
})

test('of a refused call, only names near to a declared one are told', () => {
  const request = { method: 'PATCH', path: '/products/prod_1', query: {}, body: { nam: 'Tea', name: 'Tea', colour: 1 } }
  expect(names.misspelt(request)).toEqual([expect.stringContaining('did you mean `name`?')])
})

test('a query parameter in a body is sent to the path', () => {
  const request = { method: 'PATCH', path: '/products/prod_1', query: {}, body: {} }
  expect(names.ignored(request, 'expand')).toContain('put it in the path: "?expand=…"')
})
