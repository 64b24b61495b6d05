import { join } from 'node:path'
import { loadSecret } from '../access/secret.ts'
import { AccountClocks } from '../clock/moments.ts'
import { withMeasuredMail } from '../monitoring/measured.ts'
import { tracedServices } from '../monitoring/traces/parts.ts'
import { JobBoard } from '../pipeline/job-board.ts'
import { bucketsInDatabase, bucketsInMemory } from '../pipeline/rate-limit.ts'
import { Pipeline } from '../pipeline/run.ts'
import type { Services } from '../records/services.ts'
import { makeDirectory } from '../runtime/make-directory.ts'
import { createServices, type ProgramRunners } from '../services.ts'
import { SettingError, type Settings } from '../settings/config.ts'
import { type Foundation, isShared } from './foundation.ts'

/** Returns the directory for the interpreter's snapshot, or null if the default cannot be created. Throws SettingError for CACHE_DIR. */
async function cacheDirectory({ CACHE_DIR, DATA_DIR }: Settings): Promise<string | null> {
  const directory = CACHE_DIR ?? join(DATA_DIR, 'cache')
  try {
    await makeDirectory(directory)
    return directory
  } catch (error) {
    if (CACHE_DIR === undefined) return null
    const { code } = error as NodeJS.ErrnoException
    throw new SettingError(`The directory ${CACHE_DIR} cannot be made (${code}): set CACHE_DIR to another one.`)
  }
}

/** The parts that run operations for all kinds of callers. */
export interface Core extends Foundation {
  secret: string
  /** The directory of the interpreter's snapshot, or null if there is none. */
  cacheDirectory: string | null
  services: Services
  clocks: AccountClocks
  /** Wakes the job worker when there are new jobs. */
  board: JobBoard
  pipeline: Pipeline
}

/** Creates the services that the settings select, and the pipeline that uses them. */
export async function createCore(foundation: Foundation, runners: ProgramRunners): Promise<Core> {
  const { settings, database, storage, observed, assembly } = foundation
  const cache = await cacheDirectory(settings)
  const secret = await loadSecret(database, settings.DATA_DIR, settings.SECRET_KEY)
  const chosen = createServices(settings, secret, { features: assembly.features, runners, storage })
  const services = tracedServices(withMeasuredMail(chosen, observed.monitor.measures), observed.traces)
  const parts = { secret, cacheDirectory: cache, services, clocks: new AccountClocks(), board: new JobBoard() }
  return { ...foundation, ...parts, pipeline: pipelineOf({ ...foundation, ...parts }) }
}

function pipelineOf(parts: Omit<Core, 'pipeline'>): Pipeline {
  const { settings, database, services, clocks, board, publicUrl, log, assembly } = parts
  return new Pipeline({
    shop: assembly.shop,
    dashboard: assembly.dashboard,
    database,
    takePermit: isShared(database) ? bucketsInDatabase(database) : bucketsInMemory(),
    ratePolicy: { name: 'default', perMinute: settings.RATE_LIMIT_PER_MINUTE, burst: settings.RATE_LIMIT_BURST },
    slowPerMinute: settings.RATE_LIMIT_SLOW_PER_MINUTE,
    jobs: board,
    services,
    clocks,
    publicUrl,
    log,
  })
}
