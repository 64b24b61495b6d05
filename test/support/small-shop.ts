import { PRODUCT } from '../../src/assembly.ts'
import { AccountClocks } from '../../src/clock/moments.ts'
import type { Caller } from '../../src/contract/declarations/caller.ts'
import { newId } from '../../src/contract/values/ids.ts'
import type { Database } from '../../src/database/database.ts'
import { JobWorker } from '../../src/jobs/worker.ts'
import { allMigrations } from '../../src/migrations.ts'
import { JobBoard } from '../../src/pipeline/job-board.ts'
import { bucketsInMemory } from '../../src/pipeline/rate-limit.ts'
import type { OperationRequest } from '../../src/pipeline/request.ts'
import { Pipeline } from '../../src/pipeline/run.ts'
import type { Resource } from '../../src/records/resource.ts'
import type { Services } from '../../src/records/services.ts'
import { createAccount } from '../../src/resources/company/account/life/open.ts'
import type { Tables } from '../../src/resources/tables.ts'
import { createServices } from '../../src/services.ts'
import { readSettings } from '../../src/settings/config.ts'
import type { TestEngine } from '../database/engines.ts'

/** A shop of a few nouns that tests declare for themselves, on the real pipeline, database and worker. */
export interface SmallShop {
  pipeline: Pipeline
  database: Database<Tables>
  board: JobBoard
  clocks: AccountClocks
  services: Services
  errors: object[]
  accountId: string
  /** Sends a request with the owner's session, unless `more` overrides it. */
  call(method: string, path: string, body?: unknown, more?: Partial<OperationRequest>): ReturnType<Pipeline['run']>
  /** The worker of this process. */
  worker: JobWorker
  /** Creates the worker of another process on the same database, which takes over unfinished jobs. */
  anotherWorker(): JobWorker
  /** Creates a test account, and returns the caller for its requests. */
  testAccount(): Promise<Caller>
  close(): Promise<void>
}

/** Opens it on an engine; `sql` makes the tables of its nouns. */
export async function openSmallShop(engine: TestEngine, shop: readonly Resource[], sql: string): Promise<SmallShop> {
  const migrations = [...(await allMigrations()), { name: '9999_of_this_test', sql }]
  const database = await engine.open<Tables>(migrations)
  const errors: object[] = []
  const log = { warn() {}, error: (details: object) => errors.push(details) }
  const board = new JobBoard()
  const ratePolicy = { name: 'test', perMinute: 1e6, burst: 1e6 }
  const services = createServices(readSettings({}), 'the secret key of these tests', { features: PRODUCT.features })
  const clocks = new AccountClocks()
  const parts = {
    shop,
    dashboard: [],
    database,
    takePermit: bucketsInMemory(),
    ratePolicy,
    slowPerMinute: 1e6,
    jobs: board,
    services,
    clocks,
    publicUrl: 'http://shop',
    log,
  }
  const pipeline = new Pipeline(parts)
  const types = shop.flatMap((resource) => resource.jobs)
  const workerOn = (own: JobBoard) =>
    new JobWorker({ database, contexts: pipeline.contexts, clocks, board: own, services, types, log })
  const worker = workerOn(board)
  worker.start()
  const accountId = newId('acct')
  const caller: Caller = { kind: 'session', sessionId: 'test', accountId, userId: 'user_test', role: 'owner' }
  return {
    pipeline,
    database,
    board,
    clocks,
    services,
    errors,
    accountId,
    call: (method, path, body, more) => pipeline.run({ method, path, query: {}, body, caller, ...more }),
    worker,
    testAccount: () => testAccount(database),
    anotherWorker: () => workerOn(new JobBoard()),
    async close() {
      await worker.stop()
      await database.close()
    },
  }
}

let made = 0

async function testAccount(database: Database<Tables>): Promise<Caller> {
  const subdomain = `rehearsal-${++made}`
  const owner = { name: 'Owner', email: 'owner@example.com' }
  const account = await createAccount(database, { name: subdomain, subdomain, owner, test: true })
  return { kind: 'session', sessionId: 'test', ...account, role: 'owner' }
}
