import type { People } from '../access/people/people.ts'
import { demoAccount } from '../demo/account.ts'
import type { JobWorker } from '../jobs/worker.ts'
import { type FirstAccount, makeFirstAccount } from '../resources/company/account/life/open.ts'
import type { Settings } from '../settings/config.ts'
import type { Core } from './core.ts'

/** The account that is created at the first start with an empty database. */
export interface FirstStart {
  /** The new account; null if an account existed already. */
  firstAccount: FirstAccount | null
  /** A single-use link with which the account's owner sets a password; null if an account existed already. */
  firstPasswordUrl: string | null
}

export async function openFirstAccount(core: Core, people: People): Promise<FirstStart> {
  const { database, secret, settings, pipeline } = core
  // The demo shop is imported here because later starts do not need it.
  const fill: Parameters<typeof demoAccount>[0] = async (scope, owner) =>
    (await import('../demo/shop.ts')).fillDemoShop(scope, pipeline, owner)
  const demo = wantsDemo(settings) ? demoAccount(fill) : {}
  const firstAccount = await makeFirstAccount(database, secret, settings.BOOTSTRAP_TOKEN, demo)
  return { firstAccount, firstPasswordUrl: firstAccount && (await people.makePasswordUrl(firstAccount.userId)) }
}

/** Simulates the past of a new demo shop. The worker runs the jobs that fall due as the clock moves. */
export async function simulatePast(core: Core, { firstAccount }: FirstStart, worker: JobWorker): Promise<void> {
  if (!firstAccount || !wantsDemo(core.settings)) return
  const { pipeline, database, services, assembly } = core
  const advanceClock: JobWorker['advanceClock'] = (accountId, to) => worker.advanceClock(accountId, to)
  const { liveDemoHistory } = await import('../demo/history.ts')
  const ofFeatures = assembly.features.flatMap(({ demo = [] }) => demo)
  await liveDemoHistory({ pipeline, database, services, advanceClock }, firstAccount, ofFeatures)
}

function wantsDemo({ DEMO_DATA, NODE_ENV }: Settings): boolean {
  return (DEMO_DATA ?? (NODE_ENV === 'production' ? 'none' : 'shop')) === 'shop'
}
