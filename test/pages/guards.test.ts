import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningApp, startApp } from '../support/app.ts'
import { Visitor } from './visitor.ts'

const LIMIT = 20

describe('The pages of checkouts', () => {
  let shop: RunningApp
  beforeAll(async () => {
    shop = await startApp({ settings: { CHECKOUT_POSTS_PER_MINUTE: String(LIMIT), TRUST_PROXY: 'true' } })
  })
  afterAll(async () => {
    await shop.close()
    expect(shop.errors).toEqual([])
  })

  let clients = 0
  /** A new client for each test, since limits count by client. */
  const client = () => ({ 'X-Forwarded-For': `192.0.2.${++clients}` })
  const checkout = async () => {
    const product = await shop.api('POST', '/products', { name: 'Tea', status: 'active' })
    const price = await shop.api('POST', '/price_variants', { product_id: product.body.id, amount: 900 })
    const items = [{ price_variant: price.body.id }]
    return (await shop.api('POST', '/checkouts', { line_items: items, email: 'ada@example.com' })).body
  }
  const statusOf = async (id: string) => (await shop.api('GET', `/checkouts/${id}`)).body.status
  const paying = 'do=pay&card=4242424242424242'
  const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

  it('run no script, load nothing from elsewhere, tell nobody their address, and are in no frame', async () => {
    const { url } = await checkout()
    for (const address of [url, '/checkout/co_nothing', '/l/cl_nothing']) {
      const page = await new Visitor(shop.url).open(address)
      const policy = page.headers.get('content-security-policy')
      expect(policy).toBe(
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      )
      expect(page.headers.get('referrer-policy')).toBe('no-referrer')
      expect(page.headers.get('x-content-type-options')).toBe('nosniff')
      expect(page.headers.get('x-frame-options')).toBe('DENY')
      expect(page.headers.get('cache-control')).toBe('no-store')
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(page.html).not.toMatch(/<script|<style|\sstyle=|\son\w+=|<iframe|<img/i)
    }
  })

  it('have a stylesheet that browsers may keep', async () => {
    const { url } = await checkout()
    const visitor = new Visitor(shop.url)
    const address = /<link rel="stylesheet" href="([^"]+)">/.exec((await visitor.open(url)).html)![1]!
    expect(address).toMatch(/^\/checkout\/style-[0-9a-f]{16}\.css$/)
    const style = await visitor.open(address)
    expect(style.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(style.html).not.toMatch(/url\(|@import/)
  })

  it.each([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a neighbour of the site', { 'Sec-Fetch-Site': 'same-site', Origin: 'null' }],
    ['another origin, in an old browser', { Origin: 'https://evil.example' }],
  ])('take no form of %s', async (_, headers) => {
    const { url, id } = await checkout()
    const answer = await fetch(url, { method: 'POST', body: paying, headers: { ...FORM, ...headers, ...client() } })
    expect([answer.status, await statusOf(id)]).toEqual([403, 'open'])
    expect(await answer.text()).toContain('This form was sent from another site')
  })

  it.each([
    ['our own page', { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }],
    ['our own page, in an old browser', { Origin: 'null' }],
    ['a program', {}],
  ])('take a form of %s', async (_, headers) => {
    const { url, id } = await checkout()
    const page = await new Visitor(shop.url).open(url)
    const body = `${paying}&agreed=${page.fields.agreed}`
    const answer = await fetch(url, {
      method: 'POST',
      body,
      redirect: 'manual',
      headers: { ...FORM, ...headers, ...client() },
    })
    expect([answer.status, await statusOf(id)]).toEqual([303, 'complete'])
  })

  it('take forms alone, of 16 kB at most, and say so on a page', async () => {
    const { url, id } = await checkout()
    const post = (body: BodyInit, headers: Record<string, string>) =>
      fetch(url, { method: 'POST', body, headers: { ...headers, ...client() }, redirect: 'manual' })
    const json = await post('{"do":"pay"}', { 'Content-Type': 'application/json' })
    const multipart = await post(`${paying}`, { 'Content-Type': 'multipart/form-data; boundary=x' })
    const packed = await post(paying, { ...FORM, 'Content-Encoding': 'gzip' })
    const long = await post(`${paying}&name=${'x'.repeat(16_384)}`, FORM)
    expect([json.status, multipart.status, packed.status, long.status]).toEqual([415, 415, 415, 413])
    expect(await long.text()).toContain('Nothing was charged.')
    expect(await statusOf(id)).toBe('open')
  })

  it('are made of a few methods', async () => {
    const { url } = await checkout()
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const answer = await fetch(url, { method })
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
    }
    expect((await fetch(url, { method: 'OPTIONS' })).status).toBe(204)
    expect(await (await fetch(url, { method: 'HEAD' })).text()).toBe('')
  })

  it('are not confused by fields that nobody sends', async () => {
    const { url, id } = await checkout()
    const page = await new Visitor(shop.url).open(url)
    for (const odd of [
      'do=__proto__',
      'do=remove:',
      'quantity[__proto__]=2&do=update',
      'do=pay&do=update&agreed',
      '',
      '%ff%fe=%00',
    ]) {
      const answer = await fetch(url, { method: 'POST', body: odd, headers: { ...FORM, ...client() } })
      expect(answer.status).toBeLessThan(500)
    }
    const ones = `do=pay&agreed=${page.fields.agreed}&card=1&card=4242424242424242`
    expect((await fetch(url, { method: 'POST', body: ones, headers: { ...FORM, ...client() } })).status).toBe(422)
    expect(await statusOf(id)).toBe('open')
  })

  it('take so many forms a minute of one client, and about one checkout', async () => {
    const { url } = await checkout()
    const from = client()
    const post = (address: string, headers: Record<string, string>) =>
      fetch(address, { method: 'POST', body: 'do=update', headers: { ...FORM, ...headers } })
    for (let sent = 0; sent < LIMIT; sent++) expect((await post(url, from)).status).toBe(200)
    const over = await post(url, from)
    expect([over.status, Number(over.headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
    expect(await over.text()).toContain('Please wait a moment')
    expect((await post(url, client())).status).toBe(429)
    expect((await post((await checkout()).url, from)).status).toBe(429)
    expect((await post((await checkout()).url, client())).status).toBe(200)
    expect((await fetch(url, { headers: from })).status).toBe(200)
  })

  it('let nobody try secrets one after the other, and keep those who are there', async () => {
    const known = await checkout()
    const from = client()
    const open = (path: string) => fetch(`${shop.url}${path}`, { headers: from })
    expect((await open(`/checkout/${known.client_secret}`)).status).toBe(200)
    for (let tried = 0; tried < 60; tried++) expect((await open(`/checkout/co_${tried}`)).status).toBe(404)
    expect((await open(`/checkout/${(await checkout()).client_secret}`)).status).toBe(429)
    expect((await open('/pay/inv_1')).status).toBe(429)
    expect((await open(`/checkout/${known.client_secret}`)).status).toBe(200)
  })

  it('make their cookies secure where the service is reached by HTTPS', async () => {
    const secure = await startApp({ settings: {}, publicUrl: 'https://shop.example' })
    try {
      const product = await secure.api('POST', '/products', { name: 'Tea', status: 'active' })
      const { body } = await secure.api('POST', '/price_variants', { product_id: product.body.id, amount: 900 })
      const answer = await fetch(`${secure.url}/buy/${body.id}`, { method: 'POST', body: 'do=update', headers: FORM })
      expect(answer.headers.get('set-cookie')).toMatch(
        /^checkout=co_\w+_secret_[\w-]+; Max-Age=86400; Path=\/buy\/price_\w+; HttpOnly; Secure; SameSite=Lax$/,
      )
    } finally {
      await secure.close()
    }
  })
})
