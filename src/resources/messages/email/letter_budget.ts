import { createHash } from 'node:crypto'
import { ApiError } from '../../../contract/errors.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { allowanceOf, LETTER_KINDS, type LetterKind } from './letter_kinds.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** A letter that somebody means to send. */
export interface Intended {
  kind: LetterKind
  /** The address, in the form that customers have it. */
  to: string
}

/** Why a letter may not be sent now. */
export interface LetterRefusal {
  /** A sentence for the merchant. */
  message: string
  /** Whole seconds until one may be sent. */
  seconds: number
}

type Place = Pick<Context, 'accountId' | 'db' | 'realNow' | 'services'>

/**
 * The budget that every letter passes: takes one for its account and one for its recipient in the open transaction, so that
 * what is rolled back costs nothing. Null when there was one of both; otherwise nothing was taken, and the answer says why.
 */
export async function takeLetter(context: Place, { kind, to }: Intended): Promise<LetterRefusal | null> {
  const allowance = allowanceOf(kind, context.services.mail.letters)
  const at = Date.parse(context.realNow)
  const buckets = [
    { bucket: `${kind} ${hashOf(to)}`, perDay: allowance.recipient, where: 'to this address' },
    { bucket: kind, perDay: allowance.account, where: 'by this account' },
  ]
  const left = await permitsLeft(context, buckets, at)
  const lacking = buckets.find(({ bucket }) => left.get(bucket)! < 1)
  if (lacking) return refusalOf(kind, lacking, left.get(lacking.bucket)!)
  for (const { bucket } of buckets) await keep(context, { bucket, permits: left.get(bucket)! - 1, refilled_at: at })
  return null
}

/** As `takeLetter`, for operations: throws a 429. */
export async function requireLetter(context: Place, intended: Intended): Promise<void> {
  const refusal = await takeLetter(context, intended)
  if (!refusal) return
  const message = `${refusal.message} Try again in ${refusal.seconds} s.`
  throw new ApiError('rate_limit_exceeded', message, { headers: { 'Retry-After': String(refusal.seconds) } })
}

interface Bucket {
  bucket: string
  /** Permits that come back in a day, and the most that there are at once. */
  perDay: number
}

/** What is in each bucket now; one without a row is full. */
async function permitsLeft(context: Place, buckets: Bucket[], at: number): Promise<Map<string, number>> {
  const names = buckets.map(({ bucket }) => bucket)
  const rows = await rowsOf(context, 'letter_buckets').selectAll().where('bucket', 'in', names).execute()
  const known = new Map(rows.map((row) => [row.bucket, row]))
  return new Map(
    buckets.map(({ bucket, perDay }) => {
      const row = known.get(bucket)
      if (!row) return [bucket, perDay]
      const refilled = (Math.max(0, at - row.refilled_at) * perDay) / DAY_MS
      return [bucket, Math.min(perDay, row.permits + refilled)]
    }),
  )
}

async function keep(
  { db, accountId: account_id }: Place,
  { bucket, ...now }: { bucket: string; permits: number; refilled_at: number },
): Promise<void> {
  await db
    .insertInto('letter_buckets')
    .values({ account_id, bucket, ...now })
    .onConflict((known) => known.columns(['account_id', 'bucket']).doUpdateSet(now))
    .execute()
}

function refusalOf(kind: LetterKind, { perDay, where }: Bucket & { where: string }, left: number): LetterRefusal {
  const message = `No more ${LETTER_KINDS[kind].plural} can be sent ${where} right now: the limit is ${perDay} a day.`
  return { message, seconds: Math.max(1, Math.ceil(((1 - left) * DAY_MS) / perDay / 1000)) }
}

/** Who a letter reaches: mail servers deliver what follows a plus sign to the same person. */
function hashOf(address: string): string {
  const [name = '', domain = ''] = address.toLowerCase().split(/@(?=[^@]*$)/)
  return createHash('sha256')
    .update(`${name.replace(/(?<=.)\+.*/s, '')}@${domain}`)
    .digest('base64url')
}
