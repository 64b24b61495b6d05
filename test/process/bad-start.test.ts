import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server as NetServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readBuild } from '../../src/sandbox/artefact-cache.ts'
import { freshDirectory } from '../database/engines.ts'
import { CACHE_DIR } from '../support/cache.ts'
import { command } from '../support/command.ts'
import { some } from '../support/depth.ts'
import { prepareShop } from '../support/prepared.ts'
import { type Ended, type Environment, environmentOf, killAll, shopwright, startServer } from '../support/server.ts'

/** The sentence that a start ends with: one line, no stack trace, exit code 1. */
async function refusal(environment: Environment, words = ['start'], exitCode = 1): Promise<string> {
  return sentenceOf(await command(words, environment), exitCode)
}

/** The same for a wrong setting, upon which no supervisor should start it again. */
const wrongSetting = (environment: Environment) => refusal(environment, ['start'], 78)

/** The same of a process. */
async function refusalOfProcess(environment: Environment, exitCode = 1): Promise<string> {
  return sentenceOf(await shopwright(['start'], environment).ended, exitCode)
}

function sentenceOf({ code, signal, stdout, stderr }: Ended, exitCode: number): string {
  const said = stdout.replace(/^Shopwright \S+ is starting\..*\n/, '')
  expect({ code, signal, stdout: said }).toEqual({ code: exitCode, signal: null, stdout: '' })
  expect(stderr).toMatch(/^[A-Z/][^\n]+\.\n$/)
  expect(stderr).not.toMatch(/node:internal|\.ts:\d|Error:/)
  return stderr.trim()
}

let directory: string
let remove: () => Promise<void>

beforeEach(async () => {
  ;({ directory, remove } = await freshDirectory())
})
afterEach(() => {
  killAll()
  return remove()
})

const WRONG: [name: string, value: string][] = [
  ['PORT', 'abc'],
  ['SECRET_KEY', 'short'],
  ['SMTP_URL', 'http://mail.example'],
  ['ALLOWED_ORIGINS', 'https://app.example/path'],
  ['PORT', '70000'],
  ['PORT', '-1'],
  ['PORT', '80.5'],
  ['PUBLIC_URL', 'shop.example'],
  ['DEMO_DATA', 'everything'],
  ['RATE_LIMIT_PER_MINUTE', '0'],
  ['RATE_LIMIT_SLOW_PER_MINUTE', '0'],
  ['SMTP_URL', 'mail.example:25'],
  ['MAIL_FROM', 'Shop <shop@mail.example>'],
  ['SANDBOX_WORKERS', '1000'],
  ['TRUST_PROXY', 'perhaps'],
  ['LOG_LEVEL', 'loud'],
  ['NODE_ENV', 'prod'],
  ['ALLOWED_ORIGINS', 'https://'],
  ['ALLOWED_ORIGINS', '*'],
  ['ALLOWED_ORIGINS', 'a b'],
  ['ALLOWED_HOSTS', 'http:///x'],
  ['TRUST_PROXY', '10.0.0.0/8'],
]

describe('a start with a wrong setting tells', () => {
  it('as the last words of its process', async () => {
    expect(await refusalOfProcess(environmentOf(directory, { PORT: 'abc' }), 78)).toMatch(/^PORT is invalid: it needs /)
  })

  it.each(WRONG)('that %s cannot be %s, and what it needs', async (name, value) => {
    const sentence = await wrongSetting(environmentOf(directory, { [name]: value }))
    expect(sentence).toMatch(new RegExp(`^${name} is invalid: it needs `))
    expect(sentence).not.toMatch(/Invalid input|expected|received|NaN/)
    expect(sentence.includes(value)).toBe(!['SECRET_KEY', 'SMTP_URL', 'MAIL_FROM'].includes(name))
  })

  it('that a mail server needs the address that messages come from', async () => {
    expect(await wrongSetting(environmentOf(directory, { SMTP_URL: 'smtp://mail.example' }))).toBe(
      'MAIL_FROM is missing: SMTP_URL needs it, the address that messages come from.',
    )
  })

  it.each([
    [{ STRIPE_WEBHOOK_SECRET: 'whsec_c2VjcmV0' }, 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
    [{ STRIPE_SECRET_KEY: 'sk_test_key' }, 'STRIPE_WEBHOOK_SECRET', 'STRIPE_SECRET_KEY'],
    [{ S3_ACCESS_KEY_ID: 'key' }, 'S3_ENDPOINT', 'S3_ACCESS_KEY_ID'],
    [{ S3_SECRET_ACCESS_KEY: 'secret' }, 'S3_ENDPOINT', 'S3_SECRET_ACCESS_KEY'],
    [{ S3_ENDPOINT: 'https://s3.example', S3_BUCKET: 'files' }, 'S3_ACCESS_KEY_ID', 'S3_ENDPOINT'],
  ])('that %j lacks %s', async (settings, missing, given) => {
    expect(await wrongSetting(environmentOf(directory, settings))).toMatch(`${missing} is missing: ${given} needs it`)
  })

  it
    .skipIf(!existsSync('/proc/self'))
    .each([
      { CACHE_DIR: '/proc/nope' },
      { CACHE_DIR: '/proc/nope/cache' },
      { CACHE_DIR: '/proc/nope', TMPDIR: '/proc/none' },
    ])('that %j cannot be made, without trying for ever', async (settings) => {
    const environment = environmentOf(directory, settings)
    expect(await (settings.TMPDIR ? refusalOfProcess(environment, 78) : wrongSetting(environment))).toMatch(
      `The directory ${settings.CACHE_DIR} cannot be made (ENOENT): set CACHE_DIR to another one.`,
    )
  })

  it('of a command that there is not', async () => {
    expect(await refusal(environmentOf(directory), ['exce'], 2)).toMatch('There is no command exce. Did you mean exec?')
    expect(await refusal(environmentOf(directory), ['begin'], 2)).toMatch(
      'There is no command begin. The commands are start, exec, pay, plans, background, token, account, clock, credits, filings, import, export, backup, restore, go-live, verify, catalog.',
    )
  })
})

describe('a start on an address that cannot be had tells', () => {
  let other: NetServer

  beforeAll(async () => {
    other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
  })
  afterAll(() => other.close())

  it('that another program has the port, and has made nothing', async () => {
    const { port } = other.address() as AddressInfo
    const data = join(directory, 'data')
    expect(await refusalOfProcess(environmentOf(data, { PORT: String(port) }))).toBe(
      `Port ${port} is in use by another program: stop that one, or set PORT to another port.`,
    )
    expect(existsSync(data)).toBe(false)
  })

  it.each(['203.0.113.7', 'nowhere.invalid'])('that %s is not of this machine', async (host) => {
    expect(await refusal(environmentOf(directory, { HOST: host }))).toMatch(`HOST ${host} is not an address`)
  })
})

describe('a start on a data directory that cannot be used tells', () => {
  it('that it is a file', async () => {
    await writeFile(join(directory, 'file'), '')
    expect(await refusal(environmentOf(join(directory, 'file')))).toMatch(/is a file, or is inside one: set DATA_DIR/)
  })

  it.skipIf(!existsSync('/proc/self')).each(['/proc/data', '/sys/data'])('that %s cannot be made', async (path) => {
    expect(await refusal(environmentOf(path))).toMatch(/set DATA_DIR to/)
  })

  it('that another process has it, which goes on', async () => {
    const first = await startServer(environmentOf(directory))
    expect(await refusal(environmentOf(directory))).toMatch(
      `in use by another Shopwright process (pid ${first.child.pid})`,
    )
    expect((await first.api('GET', '/account')).status).toBe(200)
    await first.stop()
  })

  it('that the database is another kind of file', async () => {
    await writeFile(join(directory, 'shopwright.db'), 'not a database '.repeat(1000))
    expect(await refusal(environmentOf(directory))).toMatch(/is not a usable SQLite database/)
  })

  it('that the database is cut off', async () => {
    await prepareShop(environmentOf(directory))
    await truncate(join(directory, 'shopwright.db'), 6_000)
    expect(await refusal(environmentOf(directory))).toMatch(/is not a usable SQLite database/)
  })

  it('that the database was made by a newer version', async () => {
    await prepareShop(environmentOf(directory))
    const database = new DatabaseSync(join(directory, 'shopwright.db'), { timeout: 30_000 })
    database.exec(`insert into schema_migrations values ('9999_tomorrow', '2100-01-01T00:00:00Z')`)
    database.close()
    expect(await refusal(environmentOf(directory))).toMatch(/newer version of Shopwright \(it has 9999_tomorrow\)/)
  })

  it('that the secret key is another one, gone, empty or a directory', async () => {
    await prepareShop(environmentOf(directory, { SECRET_KEY: 'the first of the two keys' }))
    const another = environmentOf(directory, { SECRET_KEY: 'the other of the two keys' })
    expect(await refusal(another)).toMatch(/does not match this database/)
    expect(await refusal(environmentOf(directory))).toMatch(/Set SECRET_KEY to that one/)
    await writeFile(join(directory, 'secret.key'), '')
    expect(await refusal(environmentOf(directory))).toMatch(/secret\.key is empty/)
    await rm(join(directory, 'secret.key'))
    await mkdir(join(directory, 'secret.key'))
    expect(await refusal(environmentOf(directory))).toMatch(/secret\.key cannot be read or created/)
  })
})

describe('a snapshot of the interpreter that is', () => {
  const SPOILT: [string, (path: string) => Promise<unknown>][] = [
    ['truncated', (path) => truncate(path, 1_000_000)],
    ['garbage', (path) => writeFile(path, 'garbage '.repeat(1000))],
    ['a directory', (path) => rm(path).then(() => mkdir(path))],
  ]
  /** A cache with the one snapshot of these tests, which a start of any of them has made. */
  async function copied() {
    const environment = environmentOf(join(directory, 'data'), { CACHE_DIR: join(directory, 'cache') })
    await mkdir(environment.CACHE_DIR!)
    const names = (await readdir(CACHE_DIR)).filter((one) => one.endsWith('.bin'))
    for (const name of names) await copyFile(join(CACHE_DIR, name), join(environment.CACHE_DIR!, name))
    return { environment, path: join(environment.CACHE_DIR!, names[0]!), key: /-(\w+)\.bin$/.exec(names[0]!)![1]! }
  }

  beforeAll(async () => {
    const fresh = await freshDirectory()
    await (await startServer(environmentOf(fresh.directory))).stop()
    await fresh.remove()
  })

  it.each(SPOILT)('%s is not used', async (_, spoil) => {
    const { environment, path, key } = await copied()
    expect(await readBuild(environment.CACHE_DIR!, key)).not.toBeNull()
    await spoil(path)
    expect(await readBuild(environment.CACHE_DIR!, key)).toBeNull()
  })

  it.each(some(SPOILT, 1))('%s is made again', async (_, spoil) => {
    const { environment, path } = await copied()
    await spoil(path)
    const server = await startServer(environment)
    expect((await server.tool('code_execute', '1 + 1')).result).toBe(2)
    expect(await server.stop()).toMatchObject({ code: 0, stderr: '' })
  })
})
