import { isIP } from 'node:net'
import { HOUR_MS, laterBy, MINUTE_MS } from '../../contract/values/values.ts'
import type { DomainRecords } from '../../providers/dns/provider.ts'
import type { Context } from '../../records/context.ts'
import { insertJob } from '../../records/enqueue.ts'
import type { DomainKind } from '../../records/extensions.ts'
import { type JobContext, type JobType, job } from '../../records/job.ts'
import { type ProvenDomain, provenElsewhere, recordOf } from './domain-names.ts'

/** The longest pause between the checks of an unverified domain, because DNS changes take time to reach all name servers. */
const LONGEST_PAUSE_MS = 60 * MINUTE_MS
const GIVE_UP_MS = 3 * 24 * 60 * MINUTE_MS

/** The interval between two checks of a verified domain. */
const WATCH_MS = 6 * HOUR_MS
/** The pause between checks while a verified domain's records are missing, and the number of misses that ends the verification. */
const RECHECK_MS = HOUR_MS / 2
const MOST_MISSES = 3
/** The delay before another check of a claimant who has proved a domain; meanwhile, the present holder is checked. */
const TAKEOVER_MS = 60_000

interface OwnDomain {
  /** The id of the row, which is that of the account for a shop. */
  id: string
  domain: string | null
  /** The domain once it is verified. Only one row of all kinds can have a verified domain. */
  verified: string | null
  /** The number of the current series of checks; a new series ends the earlier one. */
  checks: number
}

export interface DomainHolder {
  kind: DomainKind
  find(context: Context, id: string): Promise<OwnDomain | null>
  /** Stores the new state and emits the resource's event. */
  change(context: Context, id: string, change: { verified: string | null; checks: number }): Promise<void>
}

export interface DomainCheck {
  /** The id of the row; absent for a shop. Stored jobs contain this property, so it must not be renamed. */
  site?: string
  check: number
  /** The time at which the domain was requested, or at which its verification ended. */
  since: string
  /** The number of consecutive checks without the records of a verified domain. */
  misses?: number
  /** Present if another row has proved the domain; then the holder loses it after one check without its record. */
  contested?: true
}

/** Returns the columns to change; null if the request contains no domain or repeats a verified one. */
export function claimed(
  { domain, verified, checks }: Omit<OwnDomain, 'id'>,
  given: string | null | undefined,
): { verified: null; checks: number } | null {
  if (given === undefined || (given === domain && verified !== null)) return null
  return { verified: null, checks: checks + 1 }
}

/** Schedules a check in real time, even for test accounts. If the pause is null, no further check follows. */
export async function planCheck(
  context: Context,
  kind: DomainKind,
  check: DomainCheck,
  pauseMs: number | null,
): Promise<void> {
  if (pauseMs === null) return
  const runAt = laterBy(context.realNow, pauseMs)
  await context.enqueue<DomainCheck>({ name: kind.job }, check, { runAt, inRealTime: true })
}

/** Declares the job that checks a domain for up to three days until it is verified, and regularly afterwards. */
export function domainCheck(holder: DomainHolder, event: string, name: string = holder.kind.job) {
  return job<DomainCheck>(name, {
    emits: [event],
    work: (job, check) => runCheck(job, holder, check),
  }) satisfies JobType<DomainCheck>
}

async function runCheck(job: JobContext, holder: DomainHolder, check: DomainCheck): Promise<void> {
  const wanted = await job.transaction((context) => wantedDomain(context, holder, check))
  if (wanted === null) return
  const found = await lookUp(job.services.domains, wanted)
  await job.finish(async (context) => {
    const current = await wantedDomain(context, holder, check)
    if (current !== null && current.domain === wanted.domain) await settle(context, holder, { check, found, current })
  })
}

type WantedDomain = NonNullable<Awaited<ReturnType<typeof wantedDomain>>>

/** Returns the domain to check, or null if a newer series of checks has replaced that of this check. */
async function wantedDomain(context: Context, { kind, find }: DomainHolder, { site, check, contested }: DomainCheck) {
  const own = await find(context, site ?? context.accountId)
  if (own === null || own.domain === null) return null
  if (contested ? own.verified === null : own.checks !== check) return null
  const { id, domain, checks } = own
  const { hostname: here } = new URL(context.publicUrl)
  return {
    id,
    domain,
    checks,
    kind,
    here,
    isVerified: own.verified !== null,
    proof: recordOf(context, kind, { id, domain }),
  }
}

interface LookupResult {
  /** The TXT records at the name that proves the domain; null if DNS did not respond. */
  texts: string[] | null
  state: 'there' | 'gone' | 'unknown'
}

/** Looks up the proof of a domain. A shop's domain must also point to this service, because the shop's URLs use the domain. */
async function lookUp(
  domains: DomainRecords,
  { kind, domain, here, proof, isVerified }: WantedDomain,
): Promise<LookupResult> {
  const [texts, leads] = await Promise.all([
    domains.lookUp(proof.name, 'texts'),
    kind.pointsHere ? pointsHere(domains, { domain, here, isVerified }) : true,
  ])
  if (texts === null || leads === null) return { texts, state: 'unknown' }
  return { texts, state: leads && texts.includes(proof.value) ? 'there' : 'gone' }
}

/** Returns whether a domain resolves to the addresses of this service; null if DNS did not respond. */
async function pointsHere(
  domains: DomainRecords,
  { domain, here, isVerified }: Pick<WantedDomain, 'domain' | 'here' | 'isVerified'>,
): Promise<boolean | null> {
  const [there, own] = await Promise.all([
    domains.lookUp(domain, 'addresses'),
    isIP(here) === 0 ? domains.lookUp(here, 'addresses') : [here],
  ])
  if (there === null || own === null || own.length === 0) return null
  const isHere = (address: string) => own.includes(address)
  // Before verification, all addresses must match. Later, one is enough, because large services return changing subsets.
  return isVerified ? there.some(isHere) : there.length > 0 && there.every(isHere)
}

interface CheckOutcome {
  check: DomainCheck
  found: LookupResult
  current: WantedDomain
}

async function settle(context: Context, holder: DomainHolder, outcome: CheckOutcome): Promise<void> {
  const { check, found, current } = outcome
  if (!current.isVerified) return settleClaim(context, holder, outcome)
  if (check.contested) {
    // No further check is scheduled, because the holder's regular checks continue.
    if (found.texts !== null && !found.texts.includes(current.proof.value))
      await releaseDomain(context, holder, outcome)
    return
  }
  const again = (misses: number, pauseMs: number) => planCheck(context, holder.kind, { ...check, misses }, pauseMs)
  if (found.state === 'there') return again(0, WATCH_MS)
  const misses = (check.misses ?? 0) + (found.state === 'gone' ? 1 : 0)
  if (misses < MOST_MISSES) return again(misses, RECHECK_MS)
  await releaseDomain(context, holder, outcome)
}

/** Ends the verification. If the records return, the domain is verified again, unless another row has it by then. */
async function releaseDomain(context: Context, holder: DomainHolder, { check, current }: CheckOutcome): Promise<void> {
  const checks = current.checks + 1
  await holder.change(context, current.id, { verified: null, checks })
  const { site } = check
  await planCheck(context, holder.kind, { ...(site && { site }), check: checks, since: context.realNow }, RECHECK_MS)
}

async function settleClaim(
  context: Context,
  holder: DomainHolder,
  { check, found, current }: CheckOutcome,
): Promise<void> {
  const { id, domain, checks } = current
  const pauseMs = nextPauseMs(context.realNow, check.since)
  if (found.state !== 'there') return planCheck(context, holder.kind, check, pauseMs)
  const other = await provenElsewhere(context, domain, id)
  if (other === null) {
    await holder.change(context, id, { verified: domain, checks })
    return planCheck(context, holder.kind, { ...check, misses: 0 }, WATCH_MS)
  }
  // If the records of both the holder and the claimant are present, the domain stays with the holder.
  if (found.texts?.includes(recordOf(context, other.kind, { id: other.id, domain }).value))
    return planCheck(context, holder.kind, check, pauseMs)
  await contest(context, other)
  await planCheck(context, holder.kind, check, pauseMs && Math.min(pauseMs, TAKEOVER_MS))
}

/** Enqueues a check of the present holder. It runs in the holder's account, because only that account may change the state. */
async function contest({ db, realNow }: Context, { kind, accountId, id }: ProvenDomain): Promise<void> {
  const check: DomainCheck = { ...(id !== accountId && { site: id }), check: 0, since: realNow, contested: true }
  const place = { db, accountId, now: realNow, realNow, test: false }
  await insertJob(place, { name: kind.job, lane: 'outside' }, check, { inRealTime: true })
}

/** Returns a pause of up to an hour, which grows with the time since the request; null after three days. */
function nextPauseMs(now: string, since: string): number | null {
  const waited = Date.parse(now) - Date.parse(since)
  return waited >= GIVE_UP_MS ? null : Math.min(LONGEST_PAUSE_MS, Math.max(MINUTE_MS, waited))
}
