import { isIP } from 'node:net'
import type { Row } from '../../../../contract/declarations/noun.ts'
import { laterBy } from '../../../../contract/values/values.ts'
import type { DomainRecords } from '../../../../outside/dns/provider.ts'
import type { Context } from '../../../../records/context.ts'
import { job } from '../../../../records/job.ts'
import { changeRow } from '../../../../records/records.ts'
import { isProvenElsewhere, recordOf } from '../../../content/domain_names.ts'
import { nextPauseMs } from '../../../content/domain_pauses.ts'
import { Account } from '../account.ts'
import { currentAccount } from '../current.ts'

const HOUR_MS = 3_600_000
/** How often a domain that is verified is looked up. */
const WATCH_MS = 6 * HOUR_MS
/** How soon it is looked up again once its records are gone, and how often in a row they must be. */
const DOUBT_MS = HOUR_MS / 2
const MOST_MISSES = 3

interface Check {
  /** Its number. The check of another domain, or of the same one anew, has a higher one. */
  check: number
  /** When it was asked for. */
  since: string
  /** How often in a row the records of a verified domain were not there. */
  misses: number
}

type Found = 'there' | 'gone' | 'unknown'

/**
 * Looks for the records of the shop's domain: until they are there, for three days, and from then on for as long as it has
 * the domain. Name servers know no clocks of test accounts, so all of it is in real time.
 */
export const verifyStorefront = job('account.verify_domain', {
  emits: ['account.updated'],
  async work(place, check: Check) {
    const wanted = await place.transaction((context) => wantedIn(context, check))
    if (wanted === null) return
    const record = await place.transaction(async (context) =>
      recordOf(context, 'shop', { id: wanted.id, domain: wanted.domain }),
    )
    const { hostname: here } = new URL(wanted.publicUrl)
    const { domains } = place.services
    const found = await lookUp(domains, { ...wanted, here, proof: record })
    await place.finish(async (context) => {
      const account = await wantedIn(context, check)
      if (account) await settle(context, account.row, { check, found, domain: account.domain })
    })
  },
})

/** The account and its domain, while this check is the one that counts. */
async function wantedIn(context: Context, { check }: Check) {
  const row = await currentAccount(context)
  const { id, storefront_domain: domain, verified_storefront_domain: verified } = row
  if (domain === null || row.storefront_domain_checks !== check) return null
  return { row, id, domain, isVerified: verified !== null, publicUrl: context.publicUrl }
}

interface Question {
  domain: string
  /** The host of the service. */
  here: string
  proof: { name: string; value: string }
  isVerified: boolean
}

/** Whether the domain has the record of the shop, and leads where the host of the service leads. */
async function lookUp(domains: DomainRecords, { domain, here, proof, isVerified }: Question): Promise<Found> {
  const [texts, there, own] = await Promise.all([
    domains.lookUp(proof.name, 'texts'),
    domains.lookUp(domain, 'addresses'),
    isIP(here) === 0 ? domains.lookUp(here, 'addresses') : [here],
  ])
  if (texts === null || there === null || own === null || own.length === 0) return 'unknown'
  const isHere = (address: string) => own.includes(address)
  // At first no address may lead elsewhere. Later one is enough: large services answer with some of many.
  const leadsHere = isVerified ? there.some(isHere) : there.length > 0 && there.every(isHere)
  return leadsHere && texts.includes(proof.value) ? 'there' : 'gone'
}

interface Outcome {
  check: Check
  found: Found
  domain: string
}

async function settle(context: Context, account: Row<typeof Account>, { check, found, domain }: Outcome) {
  const isVerified = account.verified_storefront_domain !== null
  const isTaken = found === 'there' && !isVerified && (await isProvenElsewhere(context, domain, account.id))
  if (isTaken) return
  if (found === 'there') {
    if (!isVerified) await change(context, account, domain)
    return again(context, { ...check, misses: 0 }, WATCH_MS)
  }
  if (!isVerified) return again(context, check, nextPauseMs(context.realNow, check.since))
  const misses = check.misses + (found === 'gone' ? 1 : 0)
  if (misses < MOST_MISSES) return again(context, { ...check, misses }, DOUBT_MS)
  await change(context, account, null)
  return again(context, { ...check, since: context.realNow, misses: 0 }, DOUBT_MS)
}

/** All addresses of the shop follow. */
async function change(context: Context, account: Row<typeof Account>, verified_storefront_domain: string | null) {
  await context.remember(Account, [account])
  const changed = await changeRow(context, Account, account, { verified_storefront_domain })
  context.emit(Account, 'updated', changed)
}

/** Plans the next look; none after the last pause. */
export async function again(context: Context, check: Check, pauseMs: number | null): Promise<void> {
  if (pauseMs === null) return
  await context.enqueue(verifyStorefront, check, { runAt: laterBy(context.realNow, pauseMs), inRealTime: true })
}
