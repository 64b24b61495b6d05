import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDirectory } from '../database/engines.ts'
import { command as run } from '../support/command.ts'
import { some } from '../support/depth.ts'
import { type Environment, environmentOf, killAll, type Server, shopwright, startServer } from '../support/server.ts'

const DAY_MS = 24 * 60 * 60 * 1000

describe.each(some(['beside a running server', 'alone'], 1))('clock, %s', (place) => {
  let remove: () => Promise<void>
  let server: Server
  let environment: Environment
  let token: string
  let liveToken: string

  beforeAll(async () => {
    const fresh = await freshDirectory()
    remove = fresh.remove
    environment = environmentOf(fresh.directory)
    server = await startServer(environment)
    liveToken = server.token!
    const made = await run(['account', 'create', '--test', 'Rehearsal', '--owner', 'a@example.com'], environment)
    token = made.stdout.trim()
  })
  afterAll(async () => {
    await server.stop()
    killAll()
    await remove()
  })

  /** Requests need the server; whether it runs while the clock is moved is what the suite varies. */
  const clock = async (...args: string[]) => {
    if (place === 'alone') await server.stop()
    const ended = await run(['clock', ...args], environment)
    if (place === 'alone') server = await startServer(environment)
    return ended
  }
  const api = async (method: string, path: string, body?: object) =>
    (await server.api(method, path, body, { token })).body
  const shown = async () => /\d{4}-\S+Z/.exec((await clock('show')).stdout)![0]

  it('shows test accounts alone, which show themselves as such', async () => {
    if (place === 'alone') await server.stop()
    const { code, stdout } = await shopwright(['clock', 'show'], environment).ended
    if (place === 'alone') server = await startServer(environment)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^acct_\w+ {2}rehearsal {2}\S+Z\n$/)
    expect((await api('GET', '/account')).test).toBe(true)
    expect((await server.api('GET', '/account', undefined, { token: liveToken })).body.test).toBe(false)
    const listed = (await run(['account', 'list'], environment)).stdout
    expect(listed).toMatch(/ rehearsal .* test account$/m)
    expect(listed).toMatch(/ my-shop .* used \S+Z$/m)
  })

  it('moves the account’s time, and tells what happened on the way', async () => {
    const product = await api('POST', '/products', { name: 'Tea', status: 'active' })
    const price = await api('POST', '/price_variants', { product_id: product.id, amount: 500 })
    const checkout = await api('POST', '/checkouts', { line_items: [{ price_variant: price.id }] })
    const { code, stdout, stderr } = await clock('advance', '3', 'days')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const date = checkout.expires_at.slice(0, 10)
    expect(stdout).toMatch(new RegExp(`^${date}  1 checkout\\.expired\nThe clock of rehearsal shows \\S+Z\\.\n$`))
    expect((await api('GET', `/checkouts/${checkout.id}`)).status).toBe('expired')
    const { created_at } = await api('POST', '/tags', { name: 'In the future' })
    expect(Date.parse(created_at)).toBeGreaterThan(Date.now() + 2.9 * DAY_MS)
    const live = await server.api('POST', '/tags', { name: 'In the present' }, { token: liveToken })
    expect(Date.parse(live.body.created_at)).toBeLessThan(Date.now() + 60_000)
  })

  it('moves to a moment, by the calendar, and never back', async () => {
    const year = Number((await shown()).slice(0, 4)) + 1
    const january = `${year}-01-31T00:00:00Z`
    expect(await clock('advance', '--to', january, '--account', 'rehearsal')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        new RegExp(`^Nothing was due in between\\.\nThe clock of rehearsal shows ${january.slice(0, 17)}`),
      ),
    })
    expect((await clock('advance', '1', 'month')).stdout).toContain(`shows ${year}-02-2`)
    expect(await clock('advance', '--to', january)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The clock only moves forward'),
    })
  })

  it('explains what is wrong with a command', async () => {
    for (const [args, words] of [
      [[], 'npm run clock -- show'],
      [['show', 'me'], 'npm run clock -- show'],
      [['advance'], 'npm run clock -- show'],
      [['advance', '3', 'monkeys'], '3 monkeys is not a duration'],
      [['advance', '-3', 'days'], 'There is no option -3'],
      [['advance', '1.5', 'days'], '1.5 days is not a duration'],
      [['advance', '--to', 'tomorrow'], '--to needs a time such as 2027-01-31T00:00:00Z, not "tomorrow"'],
      [['advance', '1', 'day', '--account', 'my-shop'], 'my-shop is not a test account, so it uses the system clock'],
      [['advance', '1', 'day', '--account', 'nobody'], 'There is no account with the id or subdomain nobody'],
      [['advance', '30', 'years'], 'One advance can cover at most 10 years'],
    ] as [string[], string][])
      expect(await run(['clock', ...args], environment)).toMatchObject({
        code: /my-shop|nobody|at most/.test(words) ? 1 : 2,
        stderr: expect.stringContaining(words),
      })
  })
})
