import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run as payHere } from '../../src/cli/pay.ts'
import { freshDirectory } from '../database/engines.ts'
import { command as run } from '../support/command.ts'
import { some } from '../support/depth.ts'
import { type Environment, environmentOf, killAll, type Server, shopwright, startServer } from '../support/server.ts'

describe.each(some(['beside a running server', 'alone'], 1))('pay, %s', (place) => {
  let remove: () => Promise<void>
  let server: Server
  let token: string | null
  let environment: Environment

  beforeAll(async () => {
    const fresh = await freshDirectory()
    remove = fresh.remove
    environment = environmentOf(fresh.directory)
    server = await startServer(environment)
    token = server.token
  })
  afterAll(async () => {
    await server.stop()
    killAll()
    await remove()
  })

  const api = async (method: string, path: string, body?: object) =>
    (await server.api(method, path, body, { token })).body
  const pay = async (args: string[], more: Environment = {}) => {
    if (place === 'alone') await server.stop()
    const ended = await run(['pay', ...args], { ...environment, ...more })
    if (place === 'alone') server = await startServer(environment)
    return ended
  }
  /** Beside the server, in an instant. */
  const rename = (name: string) => {
    const database = new DatabaseSync(join(environment.DATA_DIR!, 'shopwright.db'), { timeout: 30_000 })
    database.prepare('update accounts set name = ?').run(name)
    database.close()
  }
  const checkout = async (price: object, more: object = {}) => {
    const product = await api('POST', '/products', { name: 'Tea', status: 'active' })
    const { id } = await api('POST', '/price_variants', { product_id: product.id, ...price })
    return api('POST', '/checkouts', { line_items: [{ price_variant: id }], ...more })
  }

  it('pays as a buyer does, and says what came of it', async () => {
    const { id } = await checkout({ amount: 2900 })
    if (place === 'alone') await server.stop()
    const words = ['pay', id, '--email', 'Ada@Example.com', '--name', 'Ada Lovelace']
    const paid = await shopwright(words, environment).ended
    if (place === 'alone') server = await startServer(environment)
    const now = await api('GET', `/checkouts/${id}?expand=customer`)
    expect(now).toMatchObject({ status: 'complete', total: 2900 })
    expect(now.customer).toMatchObject({ email: 'ada@example.com', name: 'Ada Lovelace' })
    expect(paid).toMatchObject({
      code: 0,
      stderr: '',
      stdout: `Paying $29.00 to My Shop for Tea.\nada@example.com paid $29.00. The order is ${now.order}.\n`,
    })
    const again = await pay([id])
    expect([again.code, again.stderr]).toEqual([6, expect.stringContaining('complete')])
  })

  // The rest is the same wherever it runs.
  if (place === 'alone') return

  it('says why a payment failed', async () => {
    const { id } = await checkout({ amount: 2900 }, { email: 'ada@example.com' })
    const declined = await pay([id, '--card', '4000 0000 0000 0002'])
    expect([declined.code, declined.stdout]).toEqual([6, 'Paying $29.00 to My Shop for Tea.\n'])
    expect(declined.stderr).toBe('The card was declined. Nothing was charged, and the checkout is still open.\n')
    const refused = await pay([id, '--card', '4000002500003155', '--refuse'])
    expect(refused.stderr).toMatch(/^The payment was not approved at the bank\. /)
    const approved = await pay([id, '--card', '4000002500003155'])
    expect([approved.code, approved.stdout]).toEqual([0, expect.stringContaining('paid $29.00')])
  })

  it('asks for what is missing by the option that gives it', async () => {
    const { id } = await checkout({ amount_type: 'custom', amount: 0, maximum_amount: 5000 })
    const nobody = await pay([id, '--amount', '12.50'])
    expect([nobody.code, nobody.stderr]).toEqual([
      6,
      "The checkout cannot be paid yet: email (--email) can't be blank.\n",
    ])
    const given = ['--email', 'ada@example.com']
    const unnamed = await checkout({ amount_type: 'custom', amount: 0, maximum_amount: 5000 })
    expect((await pay([unnamed.id, ...given])).stderr).toContain("amount (--amount) can't be blank")
    expect((await pay([id, ...given, '--amount', 'much'])).stderr).toContain('--amount needs an amount such as 12.50')
    expect((await pay([id, ...given, '--amount', '99'])).stderr).toContain('must be from 0 to 5000')
    expect((await pay([id, '--email', 'ada'])).stderr).toContain('--email is not a valid e-mail address: ada')
    const card = await pay([id, ...given, '--amount', '12.50', '--card', '5555555555554444'])
    expect(card.stderr).toMatch(/^Test mode accepts only these cards: 4242424242424242 /)
    const paid = await pay([id, ...given, '--amount', '12.50'])
    expect([paid.code, paid.stdout]).toEqual([0, expect.stringContaining('paid $12.50')])
  })

  it('shows what a subscription costs later', async () => {
    const price = { name: 'Club', amount: 2900, billing_type: 'subscription', recurring_interval: 'month' }
    const { id } = await checkout(price, { email: 'ada@example.com' })
    const { code, stdout } = await pay([id])
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^Paying \$29\.00 to My Shop for Tea \(Club\)\.\n\$29\.00 every month until canceled\. The first payment is today, .+\nada@/,
      ),
    ])
  })

  it('pays nothing that changes after it was shown', async () => {
    const { id } = await checkout({ amount: 2900 }, { email: 'ada@example.com' })
    const shown: string[] = []
    const terminal = {
      ...{ args: [id], environment, directory: '.', input: process.stdin, complain: () => {}, onStop: () => {} },
      print: (line: string) => {
        shown.push(line)
        if (shown.length === 1) rename('Another shop')
      },
    }
    await expect(payHere(terminal)).rejects.toThrow('The order has just changed. Nothing was charged')
    expect(shown).toEqual(['Paying $29.00 to My Shop for Tea.'])
    expect(await api('GET', `/checkouts/${id}`)).toMatchObject({ status: 'open', order: null })
    rename('My Shop')
  })

  it('shows its usage, and knows nothing of what is not there', async () => {
    expect((await pay([])).stderr).toContain('npm run pay -- CHECKOUT_ID')
    expect((await pay(['co_1', '--cash'])).stderr).toContain('There is no option --cash.')
    expect((await pay(['co_1'])).stderr).toBe('There is no checkout co_1.\n')
    expect((await pay(["x'; --"])).stderr).toContain('There is no checkout')
  })

  it('pays nothing where payments are real', async () => {
    const { id, url } = await checkout({ amount: 2900 }, { email: 'ada@example.com' })
    const stripe = { STRIPE_SECRET_KEY: 'sk_test_of_this_test', STRIPE_WEBHOOK_SECRET: 'whsec_of_this_test' }
    const { code, stderr } = await pay([id], stripe)
    const path = new URL(url).pathname
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(`^This account takes real payments.* http://\\S+${path}\n$`),
    ])
    expect(await api('GET', `/checkouts/${id}`)).toMatchObject({ status: 'open', order: null })
  })
})
