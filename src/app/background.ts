import { findCaller } from '../access/authenticate.ts'
import { HOUR_MS, MINUTE_MS } from '../contract/values/values.ts'
import { Deliverer, type SubscribedEndpoint } from '../events/deliverer.ts'
import { grantCredits, granter } from '../jobs/grant-credits.ts'
import { pruneOld } from '../jobs/prune.ts'
import { Timers } from '../jobs/timers.ts'
import { JobWorker } from '../jobs/worker.ts'
import { tracedJob } from '../monitoring/traces/parts.ts'
import { JobBoard } from '../pipeline/job-board.ts'
import { SHARE_MS } from '../quota/account-storage.ts'
import { SearchFill } from '../records/search/fill.ts'
import { grantMonth } from '../resources/company/account/credits.ts'
import {
  endWebhooksOfDeleted,
  finishDeletions,
  removeFilesOfDeleted,
} from '../resources/company/account/life/delete.ts'
import { mayReceive } from '../resources/messages/webhook-endpoint/subscription.ts'
import type { Core } from './core.ts'
import { isShared } from './foundation.ts'

const SECOND_MS = 1_000

/** Returns the job board. With OUTBOUND_DISABLED, returns a separate one, so that new jobs do not start. */
function boardOf({ settings, board }: Core): JobBoard {
  return settings.OUTBOUND_DISABLED ? new JobBoard() : board
}

/** Starts the worker for the jobs of all resources. With OUTBOUND_DISABLED, jobs only run while a clock is moved. */
export function startWorker(core: Core): JobWorker {
  const { database, pipeline, clocks, services, observed, settings, log, assembly } = core
  const worker = new JobWorker({
    database,
    contexts: pipeline.contexts,
    clocks,
    board: boardOf(core),
    services,
    types: assembly.jobs.map((type) => tracedJob(type, observed.traces)),
    log,
    ended: observed.monitor.jobEnded,
  })
  if (!settings.OUTBOUND_DISABLED) worker.start()
  return worker
}

/** Starts the delivery of events to webhook endpoints. */
export function startDeliverer(core: Core): Deliverer {
  const { database, services, settings, observed, log } = core
  const deliverer = new Deliverer({
    database,
    board: boardOf(core),
    sender: services.webhooks,
    vault: services.vault,
    mayReceive: (endpoint) => maySubscribe(core, endpoint),
    gapsMs: settings.WEBHOOK_RETRY_GAPS.map((seconds) => seconds * 1000),
    timeoutMs: settings.WEBHOOK_TIMEOUT_SECONDS * 1000,
    log,
    attempted: observed.monitor.deliveryAttempted,
  })
  if (!settings.OUTBOUND_DISABLED) deliverer.start()
  return deliverer
}

/** Returns whether the token of a subscription is still valid and its rights still include the event. */
async function maySubscribe(
  { database, pipeline }: Core,
  { accountId, subscription: { userId, tokenId, event } }: SubscribedEndpoint,
): Promise<boolean> {
  const caller = await findCaller(database, { accountId, userId, tokenId, limits: [] })
  if (!caller) return false
  return pipeline.contexts.look(database, caller, async (context) => {
    const type = context.eventTypes.find(event)
    return type !== undefined && mayReceive(context, type)
  })
}

/** Starts the work that recurs at fixed intervals of real time; none with OUTBOUND_DISABLED. */
export function startTimers({ database, pipeline, services, storage, settings, log, assembly }: Core): Timers {
  const timers = new Timers(log)
  if (settings.OUTBOUND_DISABLED) return timers
  const rules = assembly.features.flatMap(({ retention = [] }) => retention)
  timers.every(HOUR_MS, 'prune', () => pruneOld(database, { webhookDays: settings.WEBHOOK_KEPT_DAYS, rules }))
  const fill = new SearchFill(database, pipeline.nouns)
  timers.every(10 * SECOND_MS, 'make rows found that were there before', async () => void (await fill.round()))
  timers.every(10 * MINUTE_MS, 'finish deletions of accounts', async () => {
    await removeFilesOfDeleted(database, services.files.all)
    await endWebhooksOfDeleted(database, services)
    await finishDeletions(database)
  })
  const grant = (accountId: string) =>
    pipeline.contexts.part(database, granter(accountId), [], grantMonth, { inTurn: true })
  if (settings.MONTHLY_CREDITS > 0) timers.every(MINUTE_MS, 'grant credits', () => grantCredits(database, grant))
  timers.every(HOUR_MS, 'remove half-written files', () => services.files.sweep())
  if (isShared(database)) timers.every(SHARE_MS, 'share measurements of accounts', () => storage.share())
  return timers
}
