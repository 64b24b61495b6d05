import { isIP } from 'node:net'
import { laterBy } from '../../contract/values/values.ts'
import type { DomainRecords } from '../../outside/dns/provider.ts'
import type { Context } from '../../records/context.ts'
import { insertJob } from '../../records/enqueue.ts'
import { type JobPlace, type JobType, job } from '../../records/job.ts'
import { type ProvenDomain, provenElsewhere, recordOf } from './domain_names.ts'

const MINUTE_MS = 60_000
/** Records take their time until name servers everywhere have them. */
const LONGEST_PAUSE_MS = 60 * MINUTE_MS
const GIVE_UP_MS = 3 * 24 * 60 * MINUTE_MS

const HOUR_MS = 3_600_000
/** How often a domain that is verified is looked up. */
const WATCH_MS = 6 * HOUR_MS
/** How soon it is looked up again once its records are gone, and how often in a row they must be. */
const DOUBT_MS = HOUR_MS / 2
const MOST_MISSES = 3
/** How soon a domain is looked up again whose former holder is asked to give it up. */
const TAKEOVER_MS = 60_000

/** The domain of a site, or of the shop of an account, as it is stored. */
interface OwnDomain {
  /** The id of the site or the account. */
  id: string
  /** The domain that is wanted. */
  domain: string | null
  /** The same once it is verified: no other site or shop has it. */
  verified: string | null
  /** Every check has a number, so that a newer one ends the one before. */
  checks: number
}

/** A kind of thing that can have a domain to itself. */
export interface DomainHolder {
  kind: 'shop' | 'site'
  /** The thing of an id in the account, or null where there is none. */
  find(context: Context, id: string): Promise<OwnDomain | null>
  /** Stores what has become of its domain, with the event of that. */
  change(context: Context, id: string, change: { verified: string | null; checks: number }): Promise<void>
}

/** The jobs that look domains up. Their names are stored with each job. */
const DOMAIN_JOBS = { shop: 'account.verify_domain', site: 'site.check_domain' } as const

/** The payload of a job that looks a domain up. */
export interface DomainCheck {
  /** The site; absent for the shop of the account. */
  site?: string
  check: number
  /** When the domain was asked for, or lost. */
  since: string
  /** How often in a row the records of a verified domain were not there. */
  misses?: number
  /** Somebody else proves the domain now, so it is lost at once when its holder does not. */
  contested?: true
}

/** The changes that follow when a domain is given, or null. A verified domain that is given again changes nothing, so its loss is not put off. */
export function claimed(
  { domain, verified, checks }: Omit<OwnDomain, 'id'>,
  given: string | null | undefined,
): { verified: null; checks: number } | null {
  if (given === undefined || (given === domain && verified !== null)) return null
  return { verified: null, checks: checks + 1 }
}

/** Plans the next check, in real time also for test accounts. A pause of null ends the checks. */
export async function planCheck(
  context: Context,
  kind: DomainHolder['kind'],
  check: DomainCheck,
  pauseMs: number | null,
): Promise<void> {
  if (pauseMs === null) return
  const runAt = laterBy(context.realNow, pauseMs)
  await context.enqueue<DomainCheck>({ name: DOMAIN_JOBS[kind] }, check, { runAt, inRealTime: true })
}

/** The job that looks for the records of a domain: until they are there, for three days, and from then on for as long as it is had. */
export function domainCheck(holder: DomainHolder, event: string, name: string = DOMAIN_JOBS[holder.kind]) {
  return job<DomainCheck>(name, {
    emits: [event],
    work: (place, check) => lookAfter(place, holder, check),
  }) satisfies JobType<DomainCheck>
}

async function lookAfter(place: JobPlace, holder: DomainHolder, check: DomainCheck): Promise<void> {
  const wanted = await place.transaction((context) => wantedIn(context, holder, check))
  if (wanted === null) return
  const found = await lookUp(place.services.domains, wanted)
  await place.finish(async (context) => {
    const current = await wantedIn(context, holder, check)
    if (current !== null && current.domain === wanted.domain) await settle(context, holder, { check, found, current })
  })
}

type Wanted = NonNullable<Awaited<ReturnType<typeof wantedIn>>>

/** The domain that is wanted, while this check is the one that counts. */
async function wantedIn(context: Context, { kind, find }: DomainHolder, { site, check, contested }: DomainCheck) {
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

interface Found {
  /** The texts of the name that proves a domain; null without an answer. */
  texts: string[] | null
  state: 'there' | 'gone' | 'unknown'
}

/** Whether a domain has its record. That of a shop must lead here, too, since the shop leaves its other address for it. */
async function lookUp(domains: DomainRecords, { kind, domain, here, proof, isVerified }: Wanted): Promise<Found> {
  const [texts, leads] = await Promise.all([
    domains.lookUp(proof.name, 'texts'),
    kind === 'site' ? true : leadsHere(domains, { domain, here, isVerified }),
  ])
  if (texts === null || leads === null) return { texts, state: 'unknown' }
  return { texts, state: leads && texts.includes(proof.value) ? 'there' : 'gone' }
}

/** Whether a domain leads where the host of the service leads; null without an answer. */
async function leadsHere(
  domains: DomainRecords,
  { domain, here, isVerified }: Pick<Wanted, 'domain' | 'here' | 'isVerified'>,
): Promise<boolean | null> {
  const [there, own] = await Promise.all([
    domains.lookUp(domain, 'addresses'),
    isIP(here) === 0 ? domains.lookUp(here, 'addresses') : [here],
  ])
  if (there === null || own === null || own.length === 0) return null
  const isHere = (address: string) => own.includes(address)
  // At first no address may lead elsewhere. Later one is enough: large services answer with some of many.
  return isVerified ? there.some(isHere) : there.length > 0 && there.every(isHere)
}

interface Outcome {
  check: DomainCheck
  found: Found
  current: Wanted
}

async function settle(context: Context, holder: DomainHolder, outcome: Outcome): Promise<void> {
  const { check, found, current } = outcome
  if (!current.isVerified) return settleClaim(context, holder, outcome)
  if (check.contested) {
    // The checks of the holder go on, unless this one ends them.
    if (found.texts !== null && !found.texts.includes(current.proof.value)) await lose(context, holder, outcome)
    return
  }
  const again = (misses: number, pauseMs: number) => planCheck(context, holder.kind, { ...check, misses }, pauseMs)
  if (found.state === 'there') return again(0, WATCH_MS)
  const misses = (check.misses ?? 0) + (found.state === 'gone' ? 1 : 0)
  if (misses < MOST_MISSES) return again(misses, DOUBT_MS)
  await lose(context, holder, outcome)
}

/** Others can verify the domain from now on. It comes back with its records unless somebody else has it by then. */
async function lose(context: Context, holder: DomainHolder, { check, current }: Outcome): Promise<void> {
  const checks = current.checks + 1
  await holder.change(context, current.id, { verified: null, checks })
  const { site } = check
  await planCheck(context, holder.kind, { ...(site && { site }), check: checks, since: context.realNow }, DOUBT_MS)
}

async function settleClaim(context: Context, holder: DomainHolder, { check, found, current }: Outcome): Promise<void> {
  const { id, domain, checks } = current
  const pauseMs = nextPauseMs(context.realNow, check.since)
  if (found.state !== 'there') return planCheck(context, holder.kind, check, pauseMs)
  const other = await provenElsewhere(context, domain, id)
  if (other === null) {
    await holder.change(context, id, { verified: domain, checks })
    return planCheck(context, holder.kind, { ...check, misses: 0 }, WATCH_MS)
  }
  // A domain that both prove stays with its holder.
  if (found.texts?.includes(recordOf(context, other.kind, { id: other.id, domain }).value))
    return planCheck(context, holder.kind, check, pauseMs)
  await contest(context, other)
  await planCheck(context, holder.kind, check, pauseMs && Math.min(pauseMs, TAKEOVER_MS))
}

/** Only the account of a domain's holder changes it, so that account looks the domain up once more, now. */
async function contest({ db, realNow }: Context, { kind, accountId, id }: ProvenDomain): Promise<void> {
  const check: DomainCheck = { ...(kind === 'site' && { site: id }), check: 0, since: realNow, contested: true }
  const place = { db, accountId, now: realNow, realNow, test: false }
  await insertJob(place, { name: DOMAIN_JOBS[kind], lane: 'outside' }, check, { inRealTime: true })
}

/** How long to wait before a domain is looked up again that was asked for at `since`: longer and longer, for three days. Null after them. */
function nextPauseMs(now: string, since: string): number | null {
  const waited = Date.parse(now) - Date.parse(since)
  return waited >= GIVE_UP_MS ? null : Math.min(LONGEST_PAUSE_MS, Math.max(MINUTE_MS, waited))
}
