import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claudeCodeCommand } from '../../src/access/client-configuration.ts'
import { freshDirectory } from '../database/engines.ts'
import { command } from '../support/command.ts'
import { some } from '../support/depth.ts'
import { environmentOf, killAll, type Server, shopwright, startServer } from '../support/server.ts'

let directory: string
let remove: () => Promise<void>
let server: Server

beforeAll(async () => {
  ;({ directory, remove } = await freshDirectory())
  server = await startServer(environmentOf(directory))
})
afterAll(() => {
  killAll()
  return remove()
})

const token = (...args: string[]) => command(['token', ...args], environmentOf(directory))
const statusOf = async (value: string) => (await server.api('GET', '/account', undefined, { token: value })).status
const idsIn = (text: string) => text.match(/^token_\w+/gm) ?? []

describe.each(some(['beside a running server', 'alone'], 1))('token, %s', (place) => {
  beforeAll(async () => {
    if (place === 'alone') await server.stop()
  })
  afterAll(async () => {
    if (place === 'alone') server = await startServer(environmentOf(directory))
  })
  const running = async <Result>(work: () => Promise<Result>) => {
    if (place === 'alone') server = await startServer(environmentOf(directory))
    const result = await work()
    if (place === 'alone') await server.stop()
    return result
  }

  it('gives a token daily caps', async () => {
    const made = await token('create', 'Capped', '--emails', '5', '--refunds=2000')
    expect(made.code).toBe(0)
    const wrong = await token('create', 'Capped', '--credits', '-1')
    expect([wrong.code, wrong.stderr]).toEqual([
      expect.any(Number),
      expect.stringContaining('--credits must be a whole'),
    ])
    const database = new DatabaseSync(join(directory, 'shopwright.db'), { readOnly: true })
    const [row] = database.prepare(`select caps from api_tokens where name = 'Capped'`).all()
    database.close()
    expect(JSON.parse(String(row!.caps))).toEqual({ emails: 5, refunds: 2000, currency: 'usd' })
  })

  it('creates a token that works and whose value stands alone on standard output', async () => {
    const ended = await shopwright(['token', 'create', 'My', 'agent'], environmentOf(directory)).ended
    const { code, stdout, stderr } = ended
    expect(code).toBe(0)
    expect(stdout).toMatch(/^shpw_\w{36}\n$/)
    expect(stderr).toMatch(/^Made token_\w+\. It is shown only now:\n/)
    const port = place === 'alone' ? '0' : new URL(server.url).port
    expect(stderr).toContain(claudeCodeCommand(`http://localhost:${port}`))
    expect(stderr).not.toContain(stdout.trim())
    expect(await running(() => statusOf(stdout.trim()))).toBe(200)
  })

  it('lists names, owners and the last four characters, never values', async () => {
    const before = idsIn((await token('list')).stdout).length
    const made = (await token('create', 'My agent')).stdout.trim()
    const { code, stdout, stderr } = await token('list')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.trim().split('\n')).toHaveLength(before + 1)
    expect(stdout).toMatch(
      new RegExp(`My agent +…${made.slice(-4)} +my-shop +owner@example\\.com +may write +made .*never used`),
    )
    for (const value of [made, server.token ?? made]) expect(stdout).not.toMatch(value)
  })

  it('deletes a token, which the next request is told', async () => {
    const made = (await token('create')).stdout.trim()
    expect(await running(() => statusOf(made))).toBe(200)
    const id = idOf((await token('list')).stdout, made)
    expect(await token('delete', id)).toMatchObject({ code: 0, stdout: `Deleted ${id}.\n`, stderr: '' })
    expect(await running(() => statusOf(made))).toBe(401)
    expect((await token('list')).stdout).not.toMatch(id)
  })
})

describe('token', () => {
  it('works on the account that it is told of', async () => {
    const { code, stdout } = await token('create', '--account', 'my-shop', 'Named')
    expect(code).toBe(0)
    expect(await statusOf(stdout.trim())).toBe(200)
    expect(idOf((await token('list', '--account', 'my-shop')).stdout, stdout.trim())).toMatch(/^token_/)
  })

  it('waits for its turn while the server writes', async () => {
    const writer = new DatabaseSync(join(directory, 'shopwright.db'), { timeout: 30_000 })
    writer.exec('begin immediate')
    const made = shopwright(['token', 'create'], environmentOf(directory)).ended
    await sleep(1_500)
    writer.exec('commit')
    writer.close()
    expect((await made).code).toBe(0)
  })

  it('shows when a token was last used, which is written at most once a minute', async () => {
    const value = (await token('create')).stdout.trim()
    await statusOf(value)
    const first = await usedAt(value)
    await statusOf(value)
    await server.stop()
    expect(await usedAt(value)).toBe(first)
    expect(Date.now() - Date.parse(first)).toBeLessThan(10 * 60_000)
  })
})

/** The id of a token in the list. */
function idOf(list: string, value: string): string {
  return new RegExp(`^(token_\\w+) .*…${value.slice(-4)} `, 'm').exec(list)![1]!
}

/** Waits until the use is written, which happens off the caller's path. */
async function usedAt(value: string): Promise<string> {
  for (;;) {
    const line = new RegExp(`…${value.slice(-4)} .* used (\\S+)$`, 'm')
    const used = line.exec((await token('list')).stdout)?.[1]
    if (used !== undefined) return used
  }
}
