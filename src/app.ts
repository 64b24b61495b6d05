import { startDeliverer, startTimers, startWorker } from './app/background.ts'
import { type Callers, callersSettled, createCallers } from './app/callers.ts'
import { type Core, createCore } from './app/core.ts'
import { type FirstStart, liveItsPast, openFirstAccount } from './app/first-account.ts'
import { closeFoundation, type Foundation, openFoundation } from './app/foundation.ts'
import { httpOver } from './app/http.ts'
import { warnOfKeptKeys } from './app/kept-keys.ts'
import type { Log } from './app/log.ts'
import { closeEndpoint, type Endpoint, openEndpoint } from './app/mcp.ts'
import { programRunners } from './app/programs.ts'
import type { Settings } from './config.ts'
import type { HttpHandler } from './http/http.ts'
import type { JobWorker } from './jobs/worker.ts'

export type { Log } from './app/log.ts'

export interface App
  extends Pick<Core, 'database' | 'pipeline' | 'services' | 'writes'>,
    Pick<Callers, 'people'>,
    Pick<Endpoint, 'mcp'>,
    FirstStart {
  fetch: HttpHandler
  /** It sends nothing, as a restored copy does. */
  isQuiet: boolean
  /** Moves the clock of a test account forward, past everything that falls due on the way. Throws ClockError. */
  advanceClock: JobWorker['advanceClock']
  /** From now on the service says that it is not ready, so that no proxy sends it further requests. */
  beginStop(): void
  /** Lets jobs and deliveries that are under way finish for at most `graceMs`, and closes everything. */
  close(graceMs?: number): Promise<void>
}

interface Preparation {
  /** False where programs are not expected, as in most tests: the interpreter is then started for the first of them. */
  interpreter?: boolean
  /** The clock that measures how long writes have been failing. */
  now?: () => number
}

/** Everything, wired. `publicUrl` has no slash at its end. Throws DatabaseStartError. */
export async function createApp(
  settings: Settings,
  publicUrl: string,
  log: Log,
  { interpreter = true, now }: Preparation = {},
): Promise<App> {
  const foundation = await openFoundation(settings, publicUrl, log, now)
  try {
    return await wire(foundation, interpreter)
  } catch (error) {
    await closeFoundation(foundation)
    throw error
  }
}

/** From what is below to what is above. */
async function wire(foundation: Foundation, interpreter: boolean): Promise<App> {
  const runners = programRunners(foundation, async () => (await opening).mcp)
  const core = await createCore(foundation, runners)
  await warnOfKeptKeys(core)
  const callers = createCallers(core)
  // The interpreter is built in a thread of its own, while the first account gets its data.
  const opening = openEndpoint(core, interpreter)
  // Whoever waits for it hears of its failure.
  opening.catch(() => {})
  const first = await openFirstAccount(core, callers.people)
  const worker = startWorker(core)
  const past = liveItsPast(core, first, worker)
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
    isQuiet: core.settings.QUIET,
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
