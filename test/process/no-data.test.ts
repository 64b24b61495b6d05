import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freshDirectory, freshPostgresUrl, testServerUrl } from '../database/engines.ts'
import { command } from '../support/command.ts'
import { prepareShop } from '../support/prepared.ts'
import { type Environment, environmentOf, killAll, shopwright, startServer } from '../support/server.ts'

const NO_DATA = 3
const COMMANDS = [
  ['exec', '-'],
  ['exec', '--search', '-'],
  ['pay', 'co_00000000000000000000000000'],
  ['plans', 'list'],
  ['plans', 'apply', 'plan_00000000000000000000000000'],
  ['token', 'create'],
  ['token', 'list'],
  ['account', 'list'],
  ['account', 'create', 'Ada', '--owner', 'ada@example.com'],
  ['account', 'password-link'],
  ['clock', 'show'],
  ['clock', 'advance', '1', 'day'],
  ['backup', '/tmp/shopwright-never-written.tar'],
]

let base: string
let remove: () => Promise<void>

beforeEach(async () => {
  ;({ directory: base, remove } = await freshDirectory())
})
afterEach(async () => {
  killAll()
  await remove()
})

/** Runs all of the commands, and gives what each said. */
async function refusals(environment: Environment) {
  const said: { command: string; code: number | null; stdout: string; stderr: string }[] = []
  for (const args of COMMANDS) {
    const { code, stdout, stderr } = await command(args, environment, '1 + 1')
    said.push({ command: args.join(' '), code, stdout, stderr })
  }
  return said
}

describe('every command but start, in a directory without data', () => {
  it('says so in a sentence and makes nothing', { timeout: 120_000 }, async () => {
    const said = await refusals(environmentOf(join(base, 'data'), { CACHE_DIR: join(base, 'cache') }))
    expect(said).toHaveLength(COMMANDS.length)
    for (const { command, code, stdout, stderr } of said) {
      expect({ command, code, stdout }).toEqual({ command, code: NO_DATA, stdout: '' })
      expect(stderr).toMatch(`The data directory ${join(base, 'data')} holds no data of Shopwright: set DATA_DIR`)
      expect(stderr.trim().split('\n')).toHaveLength(1)
    }
    expect(await readdir(base)).toEqual([])
  })

  it('also where a start was broken off before it made anything', async () => {
    await mkdir(join(base, 'data'))
    await writeFile(join(base, 'data/shopwright.db'), '')
    const { code } = await shopwright(['token', 'list'], environmentOf(join(base, 'data'))).ended
    expect(code).toBe(NO_DATA)
    expect(existsSync(join(base, 'data/secret.key'))).toBe(false)
  })
})

describe.skipIf(!testServerUrl)('every command but start, on a PostgreSQL database without a schema', () => {
  it('says so in a sentence and makes no table', { timeout: 120_000 }, async () => {
    const database = await freshPostgresUrl()
    const environment = environmentOf(join(base, 'data'), {
      DATABASE_URL: database.url,
      CACHE_DIR: join(base, 'cache'),
    })
    const said = await refusals(environment)
    for (const { command, code, stderr } of said) {
      expect({ command, code }).toEqual({ command, code: NO_DATA })
      expect(stderr).toMatch(
        /^The (database shopwright_test_\w+ at \S+|data directory \S+) holds no data of Shopwright/,
      )
      expect(stderr.trim().split('\n')).toHaveLength(1)
    }
    const client = new Client({ connectionString: database.url })
    await client.connect()
    const { rows } = await client.query(
      `select table_name from information_schema.tables where table_schema = 'public'`,
    )
    await client.end()
    await database.remove()
    expect(rows).toEqual([])
    expect(await readdir(base)).toEqual([])
  })
})

describe('account create --new-service', () => {
  it('makes the service with its first account, and the server adds none', async () => {
    const environment = environmentOf(join(base, 'data'))
    const owner = ['--owner', 'only@example.com']
    const refused = await command(['account', 'create', 'Only', ...owner], environment)
    expect(refused).toMatchObject({ code: NO_DATA, stderr: expect.stringContaining('add --new-service') })
    const made = await shopwright(['account', 'create', 'Only', ...owner, '--new-service'], environment).ended
    expect(made.code).toBe(0)
    const server = await startServer(environment)
    expect(server.token).toBeNull()
    const { body } = await server.api('GET', '/account', undefined, { token: made.stdout.trim() })
    expect(body.name).toBe('Only')
    await server.stop()
  })
})

describe('a command on data', () => {
  const started = async () => {
    const environment = environmentOf(join(base, 'data'))
    await prepareShop(environment)
    return environment
  }

  it('of an earlier version changes no schema, and says what to do', async () => {
    const environment = await started()
    const database = new DatabaseSync(join(base, 'data/shopwright.db'), { timeout: 30_000 })
    database.exec(`delete from schema_migrations where name = (select max(name) from schema_migrations)`)
    const { code, stderr } = await command(['token', 'list'], environment)
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/was last used by an earlier version of Shopwright \(it lacks \S+\).*npm start/),
    })
    database.close()
  })

  it('whose secret key is gone makes no other one', async () => {
    const environment = await started()
    await rm(join(base, 'data/secret.key'))
    for (const args of [['token', 'create'], ['exec', '-'], ['start']]) {
      const { code, stderr } = await command(args, environment, '1')
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(/^The secret key .*Set SECRET_KEY/),
      })
    }
    expect(existsSync(join(base, 'data/secret.key'))).toBe(false)
  })

  it('without any account says so, and makes none', async () => {
    const environment = await started()
    await command(['account', 'delete', 'my-shop', '--yes'], environment)
    for (const args of [
      ['exec', '-'],
      ['token', 'create'],
    ])
      expect(await command(args, environment, '1')).toMatchObject({
        code: NO_DATA,
        stdout: '',
        stderr: 'There is no account yet. Create one with npm run account -- create.\n',
      })
    expect((await command(['account', 'list'], environment)).stdout).toBe('')
  })
})
