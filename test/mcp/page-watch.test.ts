import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PageWatch } from '../../src/mcp/program/page-watch.ts'

const list = (items: number, hasMore: boolean) => ({
  status: 200,
  headers: {},
  operationId: 'list_products',
  ignored: [],
  body: { object: 'list', data: Array.from({ length: items }, (_, id) => ({ id: `prod_${id}` })), has_more: hasMore },
})
const request = (query: Record<string, unknown> = {}, path = '/products') => ({
  method: 'GET',
  path,
  query,
  body: undefined,
})

type Noted = Parameters<PageWatch['note']>
const note = (pages: PageWatch, asked: Noted[0], answer: Noted[1], listing = false) =>
  pages.note(asked, answer, listing)

test('a list read to its end is quiet', () => {
  const pages = new PageWatch()
  note(pages, request(), list(20, true))
  note(pages, request({ starting_after: 'prod_19', limit: 100 }), list(7, false))
  expect(pages.warnings()).toEqual([])
})

test('a list with a page never asked for is told with what was seen', () => {
  const pages = new PageWatch()
  note(pages, request({ limit: 20 }), list(20, true))
  note(pages, request({ limit: 20, starting_after: 'prod_19' }), list(20, true))
  expect(pages.warnings()).toEqual([expect.stringContaining('GET /products has more than the 40 items read')])
})

test('a list read with `list` is complete as far as the program wants it', () => {
  const pages = new PageWatch()
  note(pages, request({ limit: 100 }), list(100, true), true)
  expect(pages.warnings()).toEqual([])
})

test('a list that was read with `list` to its end is complete however else it was read', () => {
  const pages = new PageWatch()
  note(pages, request(), list(20, true))
  note(pages, request({ limit: 100 }), list(30, false), true)
  expect(pages.warnings()).toEqual([])
})

test.each([
  [{}, 1],
  [{ limit: 1 }, 0],
  [{ limit: '1' }, 0],
  [{ limit: 19 }, 0],
  [{ limit: 20 }, 1],
  [{ limit: 100 }, 1],
])('of a first page with %j there are %i warnings', (query, warnings) => {
  const pages = new PageWatch()
  note(pages, request(query), list(1, true))
  expect(pages.warnings()).toHaveLength(warnings)
})

test('the warning names the call that reads every page', () => {
  const pages = new PageWatch()
  note(pages, request(), list(20, true))
  expect(pages.warnings()[0]).toContain('list("/products") reads every page')
})

test('other filters are another list', () => {
  const pages = new PageWatch()
  note(pages, request({ status: 'draft' }), list(20, true))
  note(pages, request({ status: 'active', starting_after: 'prod_19' }), list(3, false))
  expect(pages.warnings()).toHaveLength(1)
})

test('other bounds are another list, and the same bounds in another form are the same one', () => {
  const pages = new PageWatch()
  pages.note(request({ created_at: { gte: 'a' } }), list(20, true), false)
  pages.note(request({ created_at: { gte: 'b' }, starting_after: 'prod_19' }), list(3, false), false)
  expect(pages.warnings()).toHaveLength(1)
  pages.note(request({ 'created_at[gte]': 'a', starting_after: 'prod_19' }), list(3, false), false)
  expect(pages.warnings()).toEqual([])
})

test('the order in which filters are written makes no difference', () => {
  const pages = new PageWatch()
  note(pages, request({ status: 'draft', query: 'tea' }), list(20, true))
  note(pages, request({ starting_after: 'prod_19', query: 'tea', status: 'draft' }), list(3, false))
  expect(pages.warnings()).toEqual([])
})

test('reading the first page again after the whole list is quiet', () => {
  const pages = new PageWatch()
  note(pages, request(), list(20, true))
  note(pages, request({ starting_after: 'prod_19' }), list(3, false))
  note(pages, request(), list(20, true))
  expect(pages.warnings()).toEqual([])
})

test('refused calls, single resources and writes are no lists', () => {
  const pages = new PageWatch()
  note(pages, request(), { ...list(0, true), status: 400 })
  note(pages, { ...request(), method: 'POST' }, list(1, true))
  note(pages, request({}, '/account'), { ...list(0, true), body: { object: 'account', has_more: true } })
  expect(pages.warnings()).toEqual([])
})

test('following every page of any list warns of nothing and dropping the last page always warns', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 2, maxLength: 8 })
  fc.assert(
    fc.property(sizes, fc.boolean(), (pageSizes, toTheEnd) => {
      const pages = new PageWatch()
      const read = toTheEnd ? pageSizes : pageSizes.slice(0, -1)
      for (const [index, size] of read.entries()) {
        note(pages, request(index > 0 ? { starting_after: 'x' } : {}), list(size, index < pageSizes.length - 1))
      }
      const seen = read.reduce((sum, size) => sum + size, 0)
      const expected = toTheEnd ? [] : [expect.stringContaining(`than the ${seen} item`)]
      expect(pages.warnings()).toEqual(expected)
    }),
  )
})
