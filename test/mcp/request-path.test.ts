import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../src/contract/declarations/errors.ts'
import { knownAddresses } from '../../src/mcp/endpoint/addresses.ts'
import { toRequest } from '../../src/mcp/program/request-path.ts'
import type { Json } from '../../src/sandbox/api.ts'

const SERVER = 'https://shop.example:8443'
const server = knownAddresses(SERVER, ['api.shop.example'], [])
const get = (path: string, params: { [key: string]: Json } = {}) =>
  toRequest({ method: 'GET', path, params, line: 1, listing: false, over: null }, server)

test.each([
  '/products',
  'products',
  '/v1/products',
  'v1/products',
  '/products/',
  '//products'.slice(1),
  ' /products\n',
  'https://shop.example:8443/v1/products',
  'HTTPS://Shop.Example:8443/products',
  'http://shop.example:8443/products#top',
  '//shop.example:8443/products',
  'https://api.shop.example/v1/products',
  'http://localhost:3000/v1/products',
])('%j is the list of products', (path) => {
  expect(get(path)).toEqual({ method: 'GET', path: '/products', query: {}, body: undefined })
})

test.each(['https://other.example/v1/products', 'http://169.254.169.254/', '//other.example/products'])(
  '%j is refused with the name of this server',
  (path) => {
    expect(() => get(path)).toThrow(ApiError)
    expect(() => get(path)).toThrow(SERVER)
  },
)

describe('a query string in the path', () => {
  test('joins the parameters, which win', () => {
    expect(get('/products?status=draft&limit=5', { limit: 100 }).query).toEqual({ status: 'draft', limit: 100 })
  })

  test('adds its values to those of the same parameter', () => {
    expect(get('/products?status=draft', { status: ['active'] }).query).toEqual({ status: ['draft', 'active'] })
  })

  test('keeps every value of a name that stands several times', () => {
    expect(get('/orders?expand[]=customer&expand[]=line_items').query).toEqual({
      'expand[]': ['customer', 'line_items'],
    })
  })

  test('stays beside the body of a POST', () => {
    const call = {
      method: 'POST' as const,
      path: 'products?expand=reviews',
      params: { name: 'Tea' },
      line: 1,
      listing: false,
      over: null,
    }
    expect(toRequest(call, server)).toEqual({
      method: 'POST',
      path: '/products',
      query: { expand: 'reviews' },
      body: { name: 'Tea' },
    })
  })

  test('cannot reach a prototype', () => {
    const { query } = get('/products?__proto__=x&constructor=y', JSON.parse('{"__proto__": {"limit": 1}}'))
    expect(Object.getPrototypeOf(query)).toBe(Object.prototype)
    expect(query.limit).toBeUndefined()
    expect(({} as Record<string, unknown>).limit).toBeUndefined()
  })
})

test('dots and line breaks are plain text', () => {
  expect(get('/products/../customers').path).toBe('/products/../customers')
  expect(get('/products/a\r\nHost: evil').path).toBe('/products/a\r\nHost: evil')
})

test('any text is a path or a refusal', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (path) => {
      try {
        expect(get(path).path).toMatch(/^\//)
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError)
      }
    }),
  )
})
