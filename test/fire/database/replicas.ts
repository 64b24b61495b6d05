import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { withDatabase } from '../../../src/cli/with-database.ts'
import type { Database } from '../../../src/database/database.ts'
import { openAccount } from '../../../src/resources/company/account/life/open.ts'
import type { Tables } from '../../../src/resources/tables.ts'
import { readSettings } from '../../../src/settings/config.ts'
import { type Environment, environmentOf, type Server, startServer } from '../../support/server.ts'

const SECRET_KEY = 'a key that all replicas of a fire share'
const SETTINGS = {
  ...{ SECRET_KEY, WEBHOOKS_ALLOW_LOOPBACK: 'true', WEBHOOK_TIMEOUT_SECONDS: '2', SANDBOX_WORKERS: '1' },
  ...{ RATE_LIMIT_PER_MINUTE: '100000000', RATE_LIMIT_BURST: '100000000', CHECKOUT_POSTS_PER_MINUTE: '100000000' },
  ...{ EMAILS_PER_DAY: '1000000', EMAILS_PER_RECIPIENT: '1000000' },
}

/** Processes of the product on one database. */
export class Replicas {
  readonly servers: Server[] = []
  readonly #directory: string
  readonly #settings: Environment

  /** `settings` name the database, or leave the embedded one. */
  constructor(directory: string, settings: Environment = {}) {
    this.#directory = directory
    this.#settings = { ...SETTINGS, ...settings }
  }

  #environment(name: string): Environment {
    return environmentOf(join(this.#directory, name), this.#settings)
  }

  /** Starts so many, which share the directory of their files. */
  async start(count: number): Promise<void> {
    const files = join(this.#directory, 'files')
    mkdirSync(files, { recursive: true })
    for (let index = 0; index < count; index++) {
      mkdirSync(join(this.#directory, `replica-${index}`), { recursive: true })
      symlinkSync(files, join(this.#directory, `replica-${index}`, 'files'))
    }
    this.servers[0] ??= await startServer(this.#environment('replica-0'))
    const others = Array.from({ length: count - 1 }, (_, index) =>
      startServer(this.#environment(`replica-${index + 1}`)),
    )
    this.servers.splice(1, Infinity, ...(await Promise.all(others)))
  }

  /** Where each keeps its letters. */
  get outboxes(): string[] {
    return this.servers.map((_, index) => join(this.#directory, `replica-${index}`, 'outbox'))
  }

  /** Kills one at once, and starts it again after a moment. */
  async crash(index: number): Promise<void> {
    await this.servers[index]?.stop('SIGKILL')
    this.servers[index] = await startServer(this.#environment(`replica-${index}`))
  }

  async stop(): Promise<string> {
    const ended = await Promise.all(this.servers.map((server) => server.stop()))
    return ended.map(({ stderr }) => stderr).join('')
  }

  /** A test account of its own; gives its id and a token. `url` is a way to the database that nothing disturbs. */
  openAccount(name: string, url?: string): Promise<{ accountId: string; token: string }> {
    const owner = { name: 'Ada', email: `${name}@example.com` }
    const request = { name: 'On fire', subdomain: name, owner, test: true }
    return this.within(async (database) => {
      const opened = await openAccount(database, SECRET_KEY, request)
      if (!opened) throw new Error(`The account ${name} is there already.`)
      return opened
    }, url)
  }

  /** Looks into the database of the replicas. */
  within<Result>(
    work: (database: Database<Tables>) => Promise<Result>,
    url = this.#settings.DATABASE_URL,
  ): Promise<Result> {
    return withDatabase(readSettings({ ...this.#environment('replica-0'), DATABASE_URL: url }), work)
  }
}
