import { startDeliverer, startTimers, startWorker } from './app/background.ts'
import { type Callers, callersSettled, createCallers } from './app/callers.ts'
import { type Core, createCore } from './app/core.ts'
import { type FirstStart, openFirstAccount, simulatePast } from './app/first-account.ts'
import { closeFoundation, type Foundation, openFoundation } from './app/foundation.ts'
import { httpOver } from './app/http.ts'
import type { Log } from './app/log.ts'
import { closeEndpoint, type Endpoint, openEndpoint } from './app/mcp.ts'
import { programRunners } from './app/programs.ts'
import { warnOfKeptKeys } from './app/service-keys-warning.ts'
import { type Assembly, PRODUCT } from './assembly.ts'
import type { HttpHandler } from './http/http.ts'
import type { JobWorker } from './jobs/worker.ts'
import type { Settings } from './settings/config.ts'

export type { Log } from './app/log.ts'

export interface App
  extends Pick<Core, 'database' | 'pipeline' | 'services' | 'writes'>,
    Pick<Callers, 'people'>,
    Pick<Endpoint, 'mcp'>,
    FirstStart {
  fetch: HttpHandler
  /** Whether the service sends nothing to other services, as in a restored copy. */
  isQuiet: boolean
  /** Moves a test account's clock forward and runs every job that falls due on the way. Throws ClockError. */
  advanceClock: JobWorker['advanceClock']
  /** Makes the service report that it is not ready, so that no proxy sends it further requests. */
  beginStop(): void
  /** Waits at most `graceMs` for jobs and deliveries in progress, then closes everything. */
  close(graceMs?: number): Promise<void>
}

interface AppOptions {
  /** Whether the Ruby interpreter starts with the service; if false, it starts with the first program. */
  interpreter?: boolean
  /** The clock that measures how long writes have been failing. */
  now?: () => number
  /** The parts of the product; by default all. */
  assembly?: Assembly
}

/** Builds the whole service. `publicUrl` has no trailing slash. Throws DatabaseStartError. */
export async function createApp(
  settings: Settings,
  publicUrl: string,
  log: Log,
  { interpreter = true, now, assembly = PRODUCT }: AppOptions = {},
): Promise<App> {
  const foundation = await openFoundation(settings, publicUrl, log, { assembly, now })
  try {
    return await wire(foundation, interpreter)
  } catch (error) {
    await closeFoundation(foundation)
    throw error
  }
}

/** Creates the parts from the bottom up, because each part needs earlier ones. */
async function wire(foundation: Foundation, interpreter: boolean): Promise<App> {
  const runners = programRunners(foundation, async () => (await opening).mcp)
  const core = await createCore(foundation, runners)
  await warnOfKeptKeys(core)
  const callers = createCallers(core)
  // The interpreter starts in its own thread while the first account gets its data.
  const opening = openEndpoint(core, interpreter)
  // Rejections reach the code below that awaits `opening`.
  opening.catch(() => {})
  const first = await openFirstAccount(core, callers.people)
  const worker = startWorker(core)
  const past = simulatePast(core, first, worker)
  const endpoint = await past
    .then(() => opening)
    .catch(async (error: unknown) => {
      await worker.stop()
      throw error
    })
  const deliverer = startDeliverer(core)
  const timers = startTimers(core)
  let stopping = false
  const { database, pipeline, services, writes } = core

  return {
    fetch: httpOver(core, callers, endpoint, () => stopping),
    database,
    pipeline,
    services,
    writes,
    mcp: endpoint.mcp,
    people: callers.people,
    isQuiet: core.settings.OUTBOUND_DISABLED,
    ...first,
    advanceClock: (accountId, to) => worker.advanceClock(accountId, to),
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
      await closeEndpoint(endpoint)
      await callersSettled(callers)
      await closeFoundation(foundation)
    },
  }
}
