import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDirectory } from '../database/engines.ts'
import { command } from '../support/command.ts'
import { prepareShop } from '../support/prepared.ts'
import { environmentOf, killAll, type Server, startServer } from '../support/server.ts'

describe('npm run verify', () => {
  let directory: string
  let remove: () => Promise<void>
  let server: Server
  let token: string
  let file: { id: string; path: string }

  beforeAll(async () => {
    ;({ directory, remove } = await freshDirectory())
    token = await prepareShop(environmentOf(directory))
    server = await startServer(environmentOf(directory))
    const made = (await server.api('POST', '/files', { filename: 'plan.txt', size: 11 }, { token })).body
    await fetch(server.url + new URL(made.upload_url).pathname, { method: 'PUT', body: 'hello there' })
    await server.api('POST', `/files/${made.id}/uploaded`, undefined, { token })
    const product = (await server.api('POST', '/products', { name: 'Tea' }, { token })).body
    await server.api('POST', '/price_variants', { product_id: product.id, amount: 700 }, { token })
    const [account] = readdirSync(join(directory, 'files')).filter((name) => name !== 'incoming')
    file = { id: made.id, path: join(directory, 'files', account!, made.id) }
  }, 120_000)
  afterAll(async () => {
    killAll()
    await remove()
  })

  const verify = (...words: string[]) => command(['verify', ...words], environmentOf(directory))
  /** Breaks something behind the service's back, verifies, and mends it. */
  async function verifyBroken(breaks: string, mends: string) {
    const raw = new DatabaseSync(join(directory, 'shopwright.db'), {
      timeout: 10_000,
      enableForeignKeyConstraints: false,
    })
    raw.exec(breaks)
    const found = await verify()
    raw.exec(mends)
    raw.close()
    return found
  }

  it('finds nothing wrong with a service that runs, and ends with 0', async () => {
    const { code, stdout } = await verify()
    expect(stdout).toMatch(/rules and 1 file \(11 bytes\) checked, nothing is wrong\.\n$/)
    expect(code).toBe(0)
  })

  it('names a row that refers to nothing, and ends with 10', async () => {
    const { code, stdout } = await verifyBroken(
      `update price_variants set product = 'prod_gone' || product`,
      `update price_variants set product = replace(product, 'prod_gone', '')`,
    )
    expect(stdout).toContain('Rows of price_variants name a row of products that is missing (column product) (1).')
    expect(stdout).toContain('prod_goneprod_')
    expect(code).toBe(10)
  })

  it('adds up credits and counters', async () => {
    const { stdout } = await verifyBroken(
      `update accounts set credit_balance = credit_balance + 5; update products set reviews_count = 3`,
      `update accounts set credit_balance = credit_balance - 5; update products set reviews_count = 0`,
    )
    expect(stdout).toMatch(
      /credits: The credits of an account are not the sum of its entries \(1\)\.\n.*acct_\w+ acct_\w+ 5\n/,
    )
    expect(stdout).toContain('counters: reviews_count of products is not what its rows add up to (1).')
    expect(stdout).toContain('says 3, not 0')
  })

  it('compares files with their rows, both ways', async () => {
    writeFileSync(file.path, 'hello THERE')
    expect((await verify()).stdout).toContain('(plan.txt): its bytes have changed (another SHA-256)')
    expect((await verify('--no-hashes')).code).toBe(0)
    writeFileSync(file.path, 'hello')
    expect((await verify('--no-hashes')).stdout).toContain('(plan.txt): it has 5 bytes, not 11')
    rmSync(file.path)
    writeFileSync(`${file.path}x`, 'hello there')
    const { stdout, code } = await verify()
    expect(stdout).toContain('Files are missing that rows name (1).')
    expect(stdout).toContain('Files are there that no row names, and nothing is going to remove them (1).')
    expect(code).toBe(10)
    rmSync(`${file.path}x`)
    writeFileSync(file.path, 'hello there')
    expect((await verify()).code).toBe(0)
  })

  it('says where there is nothing to verify', async () => {
    const { code, stderr } = await command(['verify'], environmentOf(join(directory, 'nothing')))
    expect(stderr).toContain('holds no data of Shopwright')
    expect(code).toBe(3)
  })
})
