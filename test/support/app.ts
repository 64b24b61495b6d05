import { join } from 'node:path'
import { type App, createApp } from '../../src/app.ts'
import { type Assembly, assemble, PRODUCT } from '../../src/assembly.ts'
import { listen } from '../../src/http/listen.ts'
import { openAccount } from '../../src/resources/company/account/life/open.ts'
import { readSettings } from '../../src/settings/config.ts'
import { engines, freshDirectory, freshPostgresUrl, type TestEngine } from '../database/engines.ts'
import { CACHE_DIR } from './cache.ts'
import { DEEP } from './depth.ts'
import { type Answer, type RequestOptions, request } from './request.ts'
import { copyTemplate } from './templates.ts'

export type EngineName = TestEngine['name']

export const SECRET_KEY = 'a secret that only tests know'

export type { Answer, RequestOptions }

export interface RunningApp {
  app: App
  url: string
  token: string
  accountId: string
  dataDirectory: string
  errors: object[]
  warnings: object[]
  /** Sends one REST request. The path omits `/v1`. */
  api(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<Answer>
  /** Creates another account of the same service. */
  another(subdomain: string, more?: { test?: boolean }): Promise<{ token: string; accountId: string; userId: string }>
  close(): Promise<void>
}

interface Options {
  /** The public URL, if it differs from the listening address. A function receives the port. */
  publicUrl?: string | ((port: number) => string)
  engine?: EngineName
  settings?: Record<string, string>
  /** The clock that measures how long writes have been failing. */
  now?: () => number
  /** The product with only some of its features. */
  assembly?: Assembly
}

/** Starts the whole service on a free port with its own empty database and one account. */
export async function startApp({
  engine = 'sqlite',
  settings = {},
  publicUrl,
  now,
  assembly = process.env.TEST_FEATURES === 'none' ? assemble([]) : PRODUCT,
}: Options = {}): Promise<RunningApp> {
  const { directory, remove } = await freshDirectory()
  const postgres = engine === 'postgres' ? await freshPostgresUrl(process.env.TEST_TEMPLATE_DATABASE) : null
  if (!postgres) await copyTemplate(join(directory, 'data'))
  const environment = {
    DATA_DIR: join(directory, 'data'),
    CACHE_DIR,
    SECRET_KEY,
    DEMO_DATA: 'none',
    RATE_LIMIT_PER_MINUTE: '10000000',
    RATE_LIMIT_BURST: '10000000',
    CHECKOUT_POSTS_PER_MINUTE: '10000000',
    FORM_POSTS_PER_CLIENT: '10000000',
    FORM_POSTS_PER_FORM: '10000000',
    RATE_LIMIT_SLOW_PER_MINUTE: '10000000',
    SIGN_INS_PER_MINUTE: '10000000',
    EMAILS_PER_DAY: '10000000',
    EMAILS_PER_RECIPIENT: '10000000',
    SANDBOX_WORKERS: '1',
    WEBHOOKS_ALLOW_LOOPBACK: 'true',
    OUTSIDE_ALLOW_LOOPBACK: 'true',
    DATABASE_URL: postgres?.url,
    ...settings,
  }
  const errors: object[] = []
  const warnings: object[] = []
  const log = {
    info() {},
    warn: (details: object) => warnings.push(details),
    error: (details: object) => errors.push(details),
  }
  const listening = await listen('127.0.0.1', 0)
  const url = `http://127.0.0.1:${listening.port}`
  const reached = typeof publicUrl === 'function' ? publicUrl(listening.port) : publicUrl
  const app = await createApp(readSettings(environment), reached ?? url, log, {
    interpreter: false,
    ...(now && { now }),
    assembly,
  })
  listening.serve(app.fetch)
  const token = app.firstAccount!.token ?? settings.BOOTSTRAP_TOKEN!
  return {
    app,
    url,
    token,
    dataDirectory: environment.DATA_DIR,
    errors,
    warnings,
    accountId: app.firstAccount!.accountId,
    api: (method, path, body, options) => request(url, token, method, path, body, options),
    another: (subdomain, more) => anotherAccount(app, subdomain, more),
    async close() {
      await listening.stop()
      await app.close()
      await remove()
      await postgres?.remove()
    },
  }
}

/** The engines, and whether they are installed: use them with `describe.skipIf(!available)`. */
export const onEngines: { name: EngineName; available: boolean }[] = engines.map(({ name, available }) => ({
  name,
  available,
}))

/** The engines for tests that do not depend on the engine, such as pages: SQLite in the gate, all in the deep suite. */
export const gateEngines = DEEP ? onEngines : onEngines.filter(({ name }) => name === 'sqlite')

async function anotherAccount({ database }: App, subdomain: string, more: { test?: boolean } = {}) {
  const owner = { name: 'Other', email: `${subdomain}@example.com` }
  return (await openAccount(database, SECRET_KEY, { name: subdomain, subdomain, owner, ...more }))!
}
