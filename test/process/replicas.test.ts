import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDirectory, freshPostgresUrl, testServerUrl } from '../database/engines.ts'
import { command } from '../support/command.ts'
import type { Answer } from '../support/request.ts'
import { type Environment, environmentOf, killAll, type Server, shopwright, startServer } from '../support/server.ts'

const REPLICAS = ['one', 'two', 'three']

describe.skipIf(!testServerUrl)('replicas that start together on an empty PostgreSQL database', () => {
  let directory: string
  let undo: (() => Promise<void>)[]
  let servers: Server[]
  let token: string
  let url: string

  const environment = (name: string): Environment =>
    environmentOf(join(directory, name), {
      DATABASE_URL: url,
      SECRET_KEY: 'a key that all replicas share',
      DEMO_DATA: 'shop',
      RATE_LIMIT_PER_MINUTE: '1000000',
      RATE_LIMIT_BURST: '1000000',
    })

  beforeAll(async () => {
    const fresh = await freshDirectory()
    const database = await freshPostgresUrl()
    directory = fresh.directory
    url = database.url
    undo = [fresh.remove, database.remove]
    servers = await Promise.all(REPLICAS.map((name) => startServer(environment(name))))
    token = servers.map((server) => server.token).find((one) => one !== null)!
  })
  afterAll(async () => {
    killAll()
    for (const step of undo) await step()
  })

  const each = <Result>(ask: (server: Server, index: number) => Promise<Result>) => Promise.all(servers.map(ask))

  /** As a client does: a request that is refused because others got there first is made again. */
  const posted = async (server: Server, path: string, body: object): Promise<Answer> => {
    const answer = await server.api('POST', path, body, { token })
    return answer.body.error?.code === 'overloaded' ? posted(server, path, body) : answer
  }

  it('make one account, one token and one demo shop', async () => {
    expect(servers.filter((server) => server.token !== null)).toHaveLength(1)
    const { stdout } = await command(['token', 'list'], environment('command'))
    expect(stdout.trim().split('\n')).toHaveLength(1)
    const names = await each(async (server) => {
      const { body } = await server.api('GET', '/products?limit=100', undefined, { token })
      return body.data.map(({ name }: { name: string }) => name)
    })
    expect(names[0].length).toBeGreaterThan(2)
    expect(new Set(names[0]).size).toBe(names[0].length)
    for (const other of names) expect(other).toEqual(names[0])
  })

  it('accept a token that was made at another, and refuse it everywhere once it is deleted', async () => {
    const made = await command(['token', 'create'], environment('command'))
    const statuses = () =>
      each(async (server) => (await server.api('GET', '/account', undefined, { token: made.stdout.trim() })).status)
    expect(await statuses()).toEqual([200, 200, 200])
    const id = /token_\w+/.exec(made.stderr)![0]
    expect((await command(['token', 'delete', id], environment('command'))).code).toBe(0)
    expect(await statuses()).toEqual([401, 401, 401])
  })

  it('let a program run beside them', async () => {
    const program = "get('/account')[:object]"
    const { code, stdout, stderr } = await shopwright(['exec'], environment('command'), program).ended
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '"account"\n', stderr: '' })
  })

  it('race for slugs and positions without losing a write', async () => {
    const { body: product } = await servers[0]!.api('POST', '/products', { name: 'Raced for' }, { token })
    const answers = await each(async (server, index) => {
      const posts = Array.from({ length: 10 }, (_, turn) => [
        posted(server, '/products', { name: 'Same name' }),
        posted(server, '/price_variants', { product_id: product.id, name: `${index}/${turn}`, amount: 100 }),
      ]).flat()
      return Promise.all(posts)
    })
    expect(answers.flat().map(({ status, text }) => (status === 201 ? 'made' : text))).toEqual(Array(60).fill('made'))
    const slugs = answers.flat().flatMap(({ body }) => (body.object === 'product' ? [body.slug] : []))
    expect(new Set(slugs).size).toBe(30)
    const { body } = await servers[1]!.api('GET', `/price_variants?limit=100&product=${product.id}`, undefined, {
      token,
    })
    expect(body.data.map(({ position }: { position: number }) => position)).toEqual(
      Array.from({ length: 30 }, (_, i) => i + 1),
    )
  })

  it('keep each program whole while all of them count up the same number', async () => {
    const { body: product } = await servers[0]!.api(
      'POST',
      '/products',
      { name: 'Counter', description: '0' },
      { token },
    )
    const path = `/products/${product.id}`
    const increase = `count = get('${path}')[:description].to_i + 1
patch('${path}', description: count.to_s)
count`
    const four = (server: Server) =>
      Promise.all(Array.from({ length: 4 }, () => server.tool('code_execute', increase, token)))
    const answers = (await each(four)).flat()
    const refused = answers.filter(({ error }) => error !== undefined)
    for (const { error, committed } of refused)
      expect({ type: error.type, committed }).toEqual({ type: 'conflict', committed: 'none' })
    const counts = answers.flatMap(({ error, result }) => (error === undefined ? [result as number] : []))
    expect(counts.toSorted((a, b) => a - b)).toEqual(Array.from(counts, (_, index) => index + 1))
    expect(counts.length).toBeGreaterThan(0)
    const { body } = await servers[1]!.api('GET', path, undefined, { token })
    expect(body.description).toBe(String(counts.length))
  })

  it('end politely', async () => {
    for (const ended of await each((server) => server.stop())) expect(ended).toMatchObject({ code: 0, stderr: '' })
  })

  it('refuse one that has another secret key', async () => {
    const { code, stderr } = await command(['start'], {
      ...environment('four'),
      SECRET_KEY: 'a key of its own, alas',
    })
    expect(code).toBe(78)
    expect(stderr).toMatch(/^SECRET_KEY|^The secret key does not match/)
  })
})

/** Exit codes by the first words of a refusal: a server that does not answer, a setting, and anything else. */
function codeOf(refusal: string): number {
  if (/^No PostgreSQL|cannot be found/.test(refusal)) return 4
  return refusal.startsWith('DATABASE_URL is invalid') ? 78 : 1
}

describe('a start on a DATABASE_URL that cannot be used', () => {
  const refusal = async (url: string) => {
    const { directory, remove } = await freshDirectory()
    const { code, stdout, stderr } = await command(['start'], environmentOf(directory, { DATABASE_URL: url }))
    await remove()
    expect({ code, stdout }).toEqual({ code: codeOf(stderr), stdout: '' })
    expect(stderr).toMatch(/^[A-Z][^\n]+\.\n$/)
    expect(stderr).not.toMatch('hunter2')
    return stderr
  }

  it('tells why, without the password', async () => {
    expect(await refusal('postgres://me:hunter2@127.0.0.1:9/shop')).toMatch(
      'No PostgreSQL server answers at 127.0.0.1:9',
    )
    expect(await refusal('mysql://me:hunter2@127.0.0.1/shop')).toMatch('it needs an address such as postgres://')
    expect(await refusal('postgres//hunter2')).toMatch('it needs an address such as postgres://')
    expect(await refusal('postgres://me:hunter2@nowhere.invalid/shop')).toMatch('nowhere.invalid')
  })

  it.skipIf(!testServerUrl)('tells which database is missing', async () => {
    const missing = new URL(testServerUrl ?? '')
    missing.pathname = '/not_there'
    missing.password = 'hunter2'
    expect(await refusal(missing.href)).toMatch('has no database "not_there"')
  })
})
