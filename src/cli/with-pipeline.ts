import { loadSecret } from '../access/secret.ts'
import { PRODUCT } from '../assembly.ts'
import { AccountClocks } from '../clock/moments.ts'
import { JobBoard } from '../pipeline/job-board.ts'
import { bucketsInMemory } from '../pipeline/rate-limit.ts'
import { Pipeline } from '../pipeline/run.ts'
import type { ShopDatabase } from '../resources/tables.ts'
import { createServices } from '../services.ts'
import type { Settings } from '../settings/config.ts'
import { publicUrlOf } from './address.ts'
import { openLog } from './log.ts'
import { withDatabase } from './with-database.ts'

export interface Shop {
  database: ShopDatabase
  pipeline: Pipeline
}

/** Opens the pipeline, even while a server uses the database. New jobs are run by the running server, or the next one to start. */
export async function withPipeline<Result>(settings: Settings, work: (shop: Shop) => Promise<Result>): Promise<Result> {
  return withDatabase(settings, (database) => withPipelineOn(database, settings, work))
}

export async function withPipelineOn<Result>(
  database: ShopDatabase,
  settings: Settings,
  work: (shop: Shop) => Promise<Result>,
): Promise<Result> {
  const { shop, dashboard, features } = PRODUCT
  const secret = await loadSecret(database, settings.DATA_DIR, settings.SECRET_KEY)
  const services = createServices(settings, secret, { features })
  const pipeline = new Pipeline({
    shop,
    dashboard,
    database,
    takePermit: bucketsInMemory(),
    ratePolicy: { name: 'default', perMinute: settings.RATE_LIMIT_PER_MINUTE, burst: settings.RATE_LIMIT_BURST },
    slowPerMinute: settings.RATE_LIMIT_SLOW_PER_MINUTE,
    jobs: new JobBoard(),
    services,
    clocks: new AccountClocks(),
    publicUrl: await publicUrlOf(settings),
    log: openLog(settings.LOG_LEVEL),
  })
  return work({ database, pipeline }).finally(() => services.mail.close())
}
