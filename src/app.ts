import { availableParallelism } from 'node:os'
import { finishDeletions } from './access/account-deletion.ts'
import { Authenticator } from './access/authenticate.ts'
import { removeFilesOfDeleted } from './access/deleted-files.ts'
import { findCaller, rightsOf } from './access/find-caller.ts'
import { type FirstAccount, makeFirstAccount } from './access/first-account.ts'
import { Connect } from './access/oauth/connect.ts'
import { People } from './access/people/people.ts'
import { loadSecret } from './access/secret.ts'
import { cacheDirectory } from './cache-directory.ts'
import { AccountClocks } from './clock/moments.ts'
import type { Settings } from './config.ts'
import type { ProviderCaller } from './contract/declarations/caller.ts'
import { resourceDocs } from './contract/documents/resource-docs.ts'
import { toolsOf } from './contract/documents/tools.ts'
import type { Database, Unit } from './database/database.ts'
import { loadMigrations } from './database/migrate.ts'
import { openDatabase } from './database/open.ts'
import { watchedDatabase } from './database/watched.ts'
import { liveDemoHistory } from './demo/history.ts'
import { demoAccount, fillDemoShop } from './demo/shop.ts'
import { documentedSettings } from './documented-settings.ts'
import { Deliverer } from './events/deliverer.ts'
import { createHttp, type HttpHandler } from './http/http.ts'
import { grantCredits, granter } from './jobs/grant-credits.ts'
import { pruneOld } from './jobs/prune.ts'
import { Timers } from './jobs/timers.ts'
import { JobWorker } from './jobs/worker.ts'
import { createMcp, type Mcp } from './mcp/mcp.ts'
import { ParameterNames } from './mcp/program/parameter-names.ts'
import { backlog } from './monitoring/backlog.ts'
import { loadGauges } from './monitoring/load.ts'
import { measuredCalls, withMeasuredMail } from './monitoring/measured.ts'
import { type Observed, observe } from './monitoring/observe.ts'
import { tellingSparingly } from './monitoring/storage-log.ts'
import type { Notice } from './outside/payments/provider.ts'
import type { RunProgram } from './outside/runners/ruby/ruby.ts'
import { BodyReader } from './pipeline/body-reader.ts'
import { JobBoard } from './pipeline/job-board.ts'
import { recordRuns } from './pipeline/program-runs.ts'
import { bucketsInDatabase, bucketsInMemory, turnsInDatabase, turnsInMemory } from './pipeline/rate-limit.ts'
import { RequestLog } from './pipeline/request-log.ts'
import { Pipeline } from './pipeline/run.ts'
import { confirmRun } from './pipeline/run-confirmation.ts'
import { sealOldAnswers } from './pipeline/seal-old-answers.ts'
import type { Programs } from './programs/provider.ts'
import type { Context } from './records/context.ts'
import { grantMonth } from './resources/company/account/grant_credits.ts'
import { dashboard } from './resources/dashboard.ts'
import { applyNotice, NOTICE_EVENTS } from './resources/sales/payment/notice.ts'
import { shop } from './resources/shop.ts'
import type { Tables } from './resources/tables.ts'
import { createSandbox } from './sandbox/sandbox.ts'
import { createServices } from './services.ts'
import { AccountStorage, SHARE_MS } from './storage/account-storage.ts'

export interface Log {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export interface App {
  fetch: HttpHandler
  database: Database<Tables>
  pipeline: Pipeline
  mcp: Mcp
  people: People
  /** The account that this start made, when the database was empty. */
  firstAccount: FirstAccount | null
  /** Where the owner of that account sets a password once. */
  firstPasswordUrl: string | null
  /** Moves the clock of a test account forward, past everything that falls due on the way. Throws ClockError. */
  advanceClock: JobWorker['advanceClock']
  /** From now on the service says that it is not ready, so that no proxy sends it further requests. */
  beginStop(): void
  /** Lets jobs and deliveries that are under way finish for at most `graceMs`, and closes everything. */
  close(graceMs?: number): Promise<void>
}

const MIGRATIONS = new URL('./database/migrations/', import.meta.url)

/** Everything, wired. `publicUrl` has no slash at its end. Throws DatabaseStartError. */
export async function createApp(settings: Settings, publicUrl: string, fullLog: Log): Promise<App> {
  const log = tellingSparingly(fullLog)
  const observed = await observe(settings, log)
  const { measures } = observed.monitor
  const storage = new AccountStorage({ limitBytes: settings.STORAGE_PER_ACCOUNT_MB * 1_000_000, log })
  const opened = await openDatabase<Tables>({
    databaseUrl: settings.DATABASE_URL,
    directory: settings.DATA_DIR,
    migrations: await loadMigrations(MIGRATIONS),
    writerWatch: measures ? { waited: measures.writerWaited, held: measures.writerHeld } : undefined,
  })
  storage.start(opened)
  const database = watchedDatabase(opened, storage.wrote)
  try {
    return await wire({ database, storage, observed, settings, publicUrl, log })
  } catch (error) {
    await storage.stop()
    await database.close()
    throw error
  }
}

interface Wiring {
  database: Database<Tables>
  storage: AccountStorage
  observed: Observed
  settings: Settings
  publicUrl: string
  log: Log
}

async function wire({ database, storage, observed, settings, publicUrl, log }: Wiring): Promise<App> {
  const { monitor } = observed
  const { measures } = monitor
  const board = new JobBoard()
  /** Whether other processes count with this one how much clients may do. */
  const shared = database.engine === 'postgres'
  const secret = await loadSecret(database, settings.DATA_DIR, settings.SECRET_KEY)
  const runProgram: RunProgram = async ({ owner, origin, jobId, approvers }, code, options) => {
    const caller = await findCaller(database, { ...owner, approvers })
    const run = { accountId: owner.accountId, run: origin.run, jobId }
    const confirm = (unit: Unit<Tables>, kept: 'changes' | 'plan') => confirmRun(unit, run, kept)
    return caller && mcp.execute({ ...caller, origin }, code, { ...options, confirm })
  }
  const programs: Programs = {
    search: (caller, code) => mcp.search(caller, code),
    execute: (caller, code, options) => mcp.execute(caller, code, options),
  }
  const services = withMeasuredMail(createServices(settings, secret, { runProgram, programs }, storage), measures)
  await sealOldAnswers(database, services.vault)
  const clocks = new AccountClocks()
  const pipeline = new Pipeline({
    shop,
    dashboard,
    database,
    takePermit: shared ? bucketsInDatabase(database) : bucketsInMemory(),
    ratePolicy: { name: 'default', perMinute: settings.RATE_LIMIT_PER_MINUTE, burst: settings.RATE_LIMIT_BURST },
    slowPerMinute: settings.RATE_LIMIT_SLOW_PER_MINUTE,
    jobs: board,
    services,
    clocks,
    publicUrl,
    log,
  })
  const { findNoun } = pipeline.presenter
  const tools = toolsOf(pipeline.operations, findNoun)
  const resources = resourceDocs(pipeline.operations, findNoun)
  const sandbox = await createSandbox({
    tools,
    resources,
    workers: settings.SANDBOX_WORKERS ?? Math.min(2, availableParallelism()),
    cacheDirectory: await cacheDirectory(settings),
    watch: measures ? { waited: measures.programWaited, started: measures.interpreterStarted } : undefined,
  })
  observed.read(
    () => loadGauges(database.load(), sandbox.load()),
    () => backlog(database),
  )
  const authenticator = new Authenticator(database, secret)
  const people = new People({ database, services, publicUrl, wakeWorker: () => board.wake(), log })
  const bodies = new BodyReader()
  const demo = wantsDemo(settings) ? demoAccount((scope, owner) => fillDemoShop(scope, pipeline, owner)) : {}
  const firstAccount = await makeFirstAccount(database, secret, settings.BOOTSTRAP_TOKEN, demo)
  const firstPasswordUrl = firstAccount && (await people.makePasswordUrl(firstAccount.userId))

  const requests = new RequestLog(database, (error) => log.error({ err: error }, 'Requests could not be recorded'))
  const mcp = createMcp({
    names: new ParameterNames(tools),
    requests,
    sandbox,
    database,
    storage,
    vault: services.vault,
    bodies,
    spend: (caller) => pipeline.budget.spend(caller),
    rightsOf: (accountId, actors) => rightsOf(database, accountId, actors),
    programBudget: (caller, options) => pipeline.budget.ofProgram(caller, options),
    wakeWorker: () => board.wake(),
    runOperation: measuredCalls((request) => pipeline.run(request), measures),
    recordRuns: (runs) => {
      for (const run of runs) measures?.program(run)
      return recordRuns(database, runs)
    },
    publicUrl,
    allowedHosts: settings.ALLOWED_HOSTS,
    allowedOrigins: settings.ALLOWED_ORIGINS,
    log,
  })
  const connect = new Connect({
    database,
    secret,
    web: services.web.outside,
    publicUrl,
    clientDocuments: settings.CLIENT_DOCUMENTS,
  })
  const types = [...shop, ...dashboard].flatMap((resource) => resource.jobs)
  const worker = new JobWorker({
    database,
    applier: pipeline.applier,
    clocks,
    board,
    services,
    types,
    log,
    ended: monitor.jobEnded,
  })
  worker.start()
  const advanceClock = (accountId: string, to: string) => worker.advanceClock(accountId, to)
  if (firstAccount && wantsDemo(settings))
    await liveDemoHistory({ pipeline, database, services, advanceClock }, firstAccount)
  const deliverer = new Deliverer({
    database,
    board,
    sender: services.webhooks,
    vault: services.vault,
    gapsMs: settings.WEBHOOK_RETRY_GAPS.map((seconds) => seconds * 1000),
    timeoutMs: settings.WEBHOOK_TIMEOUT_SECONDS * 1000,
    log,
    attempted: monitor.deliveryAttempted,
  })
  deliverer.start()
  const timers = new Timers(log)
  timers.every(60 * 60_000, 'prune', () => pruneOld(database, settings.WEBHOOK_KEPT_DAYS))
  timers.every(10 * 60_000, 'finish deletions of accounts', async () => {
    await removeFilesOfDeleted(database, services.files.all)
    await finishDeletions(database)
  })
  const grant = (accountId: string) =>
    pipeline.applier.part(database, granter(accountId), [], grantMonth, { inTurn: true })
  if (settings.MONTHLY_CREDITS > 0) timers.every(60_000, 'grant credits', () => grantCredits(database, grant))
  timers.every(60 * 60_000, 'remove half-written files', () => services.files.sweep())
  if (shared) timers.every(SHARE_MS, 'share measurements of accounts', () => storage.share())

  const onNotice = (notice: Notice, provider: string) => {
    const caller: ProviderCaller = { kind: 'provider', accountId: notice.accountId, provider }
    const apply = (context: Context) => applyNotice(context, notice)
    return pipeline.applier.part(database, caller, NOTICE_EVENTS, apply, { inTurn: true })
  }

  let stopping = false
  return {
    fetch: createHttp({
      pipeline,
      authenticator,
      connect,
      people,
      bodies,
      mcp,
      requests,
      notices: { providers: services.payments.all, onNotice },
      database,
      isStopping: () => stopping,
      services,
      publicUrl,
      takeTurn: shared ? turnsInDatabase(database) : turnsInMemory(),
      postsPerMinute: settings.CHECKOUT_POSTS_PER_MINUTE,
      formPosts: { perClient: settings.FORM_POSTS_PER_CLIENT, perForm: settings.FORM_POSTS_PER_FORM },
      signInsPerMinute: settings.SIGN_INS_PER_MINUTE,
      trustProxy: settings.TRUST_PROXY,
      onAnswered: monitor.requestAnswered,
      metrics: observed.metrics,
      documented: documentedSettings(settings),
      log,
    }),
    database,
    pipeline,
    mcp,
    people,
    firstAccount,
    firstPasswordUrl,
    advanceClock,
    beginStop() {
      stopping = true
    },
    async close(graceMs) {
      stopping = true
      await timers.stop()
      await Promise.all([worker.stop(graceMs), deliverer.stop(graceMs)])
      services.mail.close()
      await services.web.close()
      await services.files.close()
      await sandbox.close()
      await mcp.close()
      await authenticator.settled()
      await requests.settled()
      await people.settled()
      await connect.authenticator.settled()
      await storage.stop()
      await database.close()
    },
  }
}

function wantsDemo({ DEMO_DATA, NODE_ENV }: Settings): boolean {
  return (DEMO_DATA ?? (NODE_ENV === 'production' ? 'none' : 'shop')) === 'shop'
}
