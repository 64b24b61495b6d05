import { createHash } from 'node:crypto'
import { ApiError } from '../../../contract/declarations/errors.ts'
import { DAY_MS } from '../../../contract/values/values.ts'
import { compileForIds, insertSeveral } from '../../../database/compile-once.ts'
import { waitInWords } from '../../../format/durations.ts'
import type { Context } from '../../../records/context.ts'
import { keepPersonPermits, type Permits, personPermits } from '../../../records/person-letter-limit.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { allowanceOf, LETTER_KINDS, type LetterKind } from './letter-kinds.ts'

export interface LetterRequest {
  kind: LetterKind
  /** Normalized like the addresses of customers. */
  to: string
  /** The person who causes the letter and is limited across all accounts, so that opening accounts does not help. */
  by?: string
}

export interface LetterRefusal {
  /** A sentence about the exceeded limit for the merchant. */
  message: string
  /** The whole seconds until the next letter may be sent. */
  seconds: number
}

type LetterContext = Pick<Context, 'accountId' | 'db' | 'realNow' | 'services'>

/** Counts a letter, in the open transaction. If a limit is exceeded, counts nothing and returns the reason; otherwise returns null. */
export async function takeLetter(context: LetterContext, intended: LetterRequest): Promise<LetterRefusal | null> {
  const at = Date.parse(context.realNow)
  const left = await levelsOf(context, bucketsOf(context, intended), at)
  const lacking = left.find(({ permits }) => permits < 1)
  if (lacking) return refusalOf(intended.kind, lacking)
  await storeLevels(
    context,
    left.map((one) => ({ ...one, permits: one.permits - 1 })),
    at,
  )
  return null
}

/** Works like `takeLetter`, and throws a 429 if a limit is exceeded. */
export async function requireLetter(context: LetterContext, intended: LetterRequest): Promise<void> {
  const refusal = await takeLetter(context, intended)
  if (!refusal) return
  const message = `${refusal.message} Try again in ${waitInWords(refusal.seconds)}.`
  throw new ApiError('rate_limit_exceeded', message, { headers: { 'Retry-After': String(refusal.seconds) } })
}

interface Bucket {
  of: 'account' | 'person'
  name: string
  /** The capacity; the bucket refills evenly over a day. */
  perDay: number
  where: string
}

function bucketsOf({ services }: LetterContext, { kind, to, by }: LetterRequest): Bucket[] {
  const { recipient, account } = allowanceOf(kind, services.mail.letters)
  const recipientName = `${kind} ${hashOf(to)}`
  const all: Bucket[] = [
    { of: 'account', name: recipientName, perDay: recipient, where: 'to this address' },
    { of: 'account', name: kind, perDay: account, where: 'by this account' },
  ]
  if (by !== undefined)
    all.push(
      { of: 'person', name: `${by} ${recipientName}`, perDay: recipient, where: 'to this address' },
      { of: 'person', name: `${by} ${kind}`, perDay: account, where: 'by you' },
    )
  return all.filter(({ perDay }) => perDay !== Number.POSITIVE_INFINITY)
}

type BucketLevel = Bucket & Pick<Permits, 'permits'>

/** Returns how many letters each bucket still allows; a bucket without a row is full. */
async function levelsOf(context: LetterContext, buckets: Bucket[], at: number): Promise<BucketLevel[]> {
  const names = buckets.flatMap(({ of, name }) => (of === 'account' ? [name] : []))
  const ofAccount = names.length > 0 ? await bucketsNamed(context.db, context.accountId, names) : []
  const known = new Map(ofAccount.map(({ bucket, ...kept }) => [bucket, kept]))
  return Promise.all(
    buckets.map(async (bucket) => {
      const { of, name, perDay } = bucket
      const kept = of === 'account' ? known.get(name) : await personPermits(context, name)
      const back = kept ? (Math.max(0, at - kept.refilled_at) * perDay) / DAY_MS : 0
      return { ...bucket, permits: kept ? Math.min(perDay, kept.permits + back) : perDay }
    }),
  )
}

async function storeLevels(context: LetterContext, left: BucketLevel[], refilled_at: number): Promise<void> {
  const { accountId: account_id, db } = context
  const rows = left.flatMap(({ of, name: bucket, permits }) =>
    of === 'account' ? [{ account_id, bucket, permits, refilled_at }] : [],
  )
  await insertSeveral(db, 'letter_buckets', rows, { taken: ['account_id', 'bucket'], replace: true })
  for (const { of, name, permits } of left)
    if (of === 'person') await keepPersonPermits(context, name, { permits, refilled_at })
}

const bucketsNamed = compileForIds((db: LetterContext['db'], accountId, names) =>
  rowsOf({ db, accountId }, 'letter_buckets').select(['bucket', 'permits', 'refilled_at']).where('bucket', 'in', names),
)

function refusalOf(kind: LetterKind, { perDay, where, permits: left }: BucketLevel): LetterRefusal {
  const message = `No more ${LETTER_KINDS[kind].plural} can be sent ${where} right now: the limit is ${perDay} a day.`
  return { message, seconds: Math.max(1, Math.ceil(((1 - left) * DAY_MS) / perDay / 1000)) }
}

/** The part after a plus sign does not count, because mail servers deliver such addresses to the same person. */
function hashOf(address: string): string {
  const [name = '', domain = ''] = address.toLowerCase().split(/@(?=[^@]*$)/)
  return createHash('sha256')
    .update(`${name.replace(/(?<=.)\+.*/s, '')}@${domain}`)
    .digest('base64url')
}
