import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDirectory } from '../database/engines.ts'
import { command as run } from '../support/command.ts'
import { type Environment, environmentOf, killAll, type Server, startServer } from '../support/server.ts'

const FILES = join(import.meta.dirname, '../moving/files')
const KINDS = ['products', 'customers', 'subscriptions', 'orders']

describe('Moving a shop by commands', () => {
  let directory: string
  let remove: () => Promise<void>
  let server: Server
  let environment: Environment

  beforeAll(async () => {
    ;({ directory, remove } = await freshDirectory())
    environment = environmentOf(join(directory, 'data'), { DEMO_DATA: 'none' })
    server = await startServer(environment)
  })
  afterAll(async () => {
    await server.stop()
    killAll()
    await remove()
  })

  const shopify = ['products', 'customers', 'orders'].map((kind) => join(FILES, `shopify-${kind}.csv`))

  it('says what a dry run would do, names every row in a report, and then imports beside the server', async () => {
    const report = join(directory, 'report.csv')
    const dry = await run(['import', 'shopify', ...shopify, '--dry-run', '--report', report], environment)
    expect(dry).toMatchObject({ code: 0 })
    expect(dry.stdout).toContain('would make 4 new products with 5 prices')
    expect(dry.stdout).toContain('Unknown columns, not taken: Custom Field')
    expect(dry.stdout).toContain('Nothing was changed.')
    expect(await readFile(report, 'utf8')).toContain('shopify-orders.csv,8,Created at,refused,24/12/2024,is no date')
    expect((await server.api('GET', '/products', undefined, { token: server.token! })).body.data).toEqual([])
    const done = await run(['import', 'shopify', ...shopify], environment)
    expect(done.stdout).toContain('4 new products with 5 prices')
    const { body } = await server.api('GET', '/orders', undefined, { token: server.token! })
    expect(body.data.map(({ channel }: { channel: string }) => channel)).toEqual(Array(4).fill('import'))
  })

  it('imports from Stripe, and exports all of it at one moment', async () => {
    const stripe = ['products', 'prices', 'customers', 'subscriptions', 'payments', 'invoices']
    await run(['import', 'stripe', ...stripe.map((kind) => join(FILES, `stripe-${kind}.csv`))], environment)
    const out = join(directory, 'out')
    const done = await run(['export', out], environment)
    expect([done.code, done.stderr]).toEqual([0, ''])
    expect((await readdir(out)).sort()).toEqual(['csv', 'data', 'export.json', 'files'])
    const orders = (await readFile(join(out, 'data/orders.jsonl'), 'utf8')).trim().split('\n')
    expect(orders.length).toBe(10)
    expect(await run(['export', out], environment)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('not empty'),
    })
  })

  it('imports its own export again, into a service that then exports the same', async () => {
    const other = environmentOf(join(directory, 'other'), { DEMO_DATA: 'none' })
    const second = await startServer(other)
    const files = KINDS.map((kind) => join(directory, 'out/csv', `${kind}.csv`))
    const imported = await run(['import', 'csv', ...files], other)
    expect([imported.code, imported.stdout]).toEqual([0, expect.not.stringContaining('Cannot be taken')])
    const out = join(directory, 'again')
    await run(['export', out], other)
    for (const kind of KINDS)
      expect(await comparable(join(out, 'csv', `${kind}.csv`))).toEqual(
        await comparable(join(directory, 'out/csv', `${kind}.csv`)),
      )
    await second.stop()
  })

  it('prints templates that it takes itself', async () => {
    const folder = join(directory, 'templates')
    await mkdir(folder)
    const files = []
    for (const kind of KINDS) {
      const { stdout } = await run(['import', 'template', kind], environment)
      files.push(join(folder, `${kind}.csv`))
      await writeFile(files.at(-1)!, stdout)
    }
    const { code, stdout } = await run(['import', 'csv', ...files, '--dry-run'], environment)
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('Cannot be taken')])
    expect(stdout).toContain('would make 2 new products with 3 prices')
    expect(stdout).toContain('would make 1 new subscription; those that go on wait here, paused')
  })

  it('explains mistakes', async () => {
    const wrong = join(directory, 'wrong.csv')
    await writeFile(wrong, 'First,Second\n1,2\n')
    const said = async (...args: string[]) => {
      const { code, stderr } = await run(args, environment)
      return [code, stderr.split('\n')[0]]
    }
    expect(await said('import', 'shopfy', wrong)).toEqual([2, 'There is no source shopfy. Did you mean shopify?'])
    expect(await said('import', 'shopify')).toEqual([2, 'Name the files to import.'])
    expect((await run(['import', 'shopify', wrong], environment)).stderr).toContain(
      'None of its columns is one of a file of',
    )
    await writeFile(wrong, 'Name,E-mail,Financial Status,Total,Lineitem name\n1,2,3,4,5\n')
    expect((await run(['import', 'shopify', wrong], environment)).stderr).toContain(
      'looks most like orders, and lacks the column Email',
    )
    expect(await said('import', 'csv', wrong, '--currency', 'dollars')).toEqual([
      2,
      '--currency needs a currency such as usd, not "dollars".',
    ])
  })
})

/** The lines of a file without the ids that every service gives anew, and when subscriptions were paused. */
async function comparable(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8')
  return text
    .replaceAll(/\b(prod|price|cus|ord|sub)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g, '$1')
    .split('\r\n')
    .sort()
}
