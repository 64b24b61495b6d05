import type { People } from '../access/people/people.ts'
import type { Settings } from '../config.ts'
import { demoAccount } from '../demo/account.ts'
import type { JobWorker } from '../jobs/worker.ts'
import { type FirstAccount, makeFirstAccount } from '../resources/company/account/life/first.ts'
import type { Core } from './core.ts'

/** What this start made of an empty database. */
export interface FirstStart {
  /** Null when there was an account already. */
  firstAccount: FirstAccount | null
  /** Where the owner of that account sets a password once. */
  firstPasswordUrl: string | null
}

export async function openFirstAccount(core: Core, people: People): Promise<FirstStart> {
  const { database, secret, settings, pipeline } = core
  // Later starts need no demo shop, so they do not load it.
  const fill: Parameters<typeof demoAccount>[0] = async (scope, owner) =>
    (await import('../demo/shop.ts')).fillDemoShop(scope, pipeline, owner)
  const demo = wantsDemo(settings) ? demoAccount(fill) : {}
  const firstAccount = await makeFirstAccount(database, secret, settings.BOOTSTRAP_TOKEN, demo)
  return { firstAccount, firstPasswordUrl: firstAccount && (await people.makePasswordUrl(firstAccount.userId)) }
}

/** Gives the demo shop of a first start its past. Needs the worker, which does what falls due on the way. */
export async function liveItsPast(core: Core, { firstAccount }: FirstStart, worker: JobWorker): Promise<void> {
  if (!firstAccount || !wantsDemo(core.settings)) return
  const { pipeline, database, services } = core
  const advanceClock: JobWorker['advanceClock'] = (accountId, to) => worker.advanceClock(accountId, to)
  const { liveDemoHistory } = await import('../demo/history.ts')
  await liveDemoHistory({ pipeline, database, services, advanceClock }, firstAccount)
}

function wantsDemo({ DEMO_DATA, NODE_ENV }: Settings): boolean {
  return (DEMO_DATA ?? (NODE_ENV === 'production' ? 'none' : 'shop')) === 'shop'
}
