import { counted } from '../../format/counts.ts'
import { formatMoney } from '../../format/money.ts'
import { inWords as nameInWords } from '../../format/names.ts'
import { sentenceCase } from '../../format/sentences.ts'

/** An external side effect that starts after the commit and cannot be rolled back. */
export type Consequence =
  | { kind: 'charge' | 'refund'; amount: number; currency: string }
  | { kind: 'email'; to: string }
  | { kind: 'post' | 'comment' | 'filing' | 'task_run' | 'webhook' }

type ConsequenceKind = Consequence['kind']

export interface Consequences {
  kind: ConsequenceKind
  count: number
  /** In minor units. */
  amount?: number
  currency?: string
  /** The first distinct addresses, ending with `…` if there are more. */
  to?: string[]
}

const SHOWN_ADDRESSES = 3
const KIND_ORDER: ConsequenceKind[] = ['charge', 'refund', 'filing', 'email', 'post', 'comment', 'task_run', 'webhook']

export function summed(consequences: readonly Consequence[]): Consequences[] {
  const groups = Map.groupBy(consequences, (one) => ('currency' in one ? `${one.kind} ${one.currency}` : one.kind))
  return [...groups.values()]
    .flatMap((group) => group.slice(0, 1).map((first) => sumOf(first, group)))
    .toSorted((one, other) => KIND_ORDER.indexOf(one.kind) - KIND_ORDER.indexOf(other.kind))
}

function sumOf(first: Consequence, group: Consequence[]): Consequences {
  const amount = group.reduce((sum, one) => sum + ('amount' in one ? one.amount : 0), 0)
  const addresses = [...new Set(group.flatMap((one) => ('to' in one ? [one.to] : [])))]
  return {
    kind: first.kind,
    count: group.length,
    ...('currency' in first && { amount, currency: first.currency }),
    ...(addresses.length > 0 && { to: firstAddresses(addresses) }),
  }
}

function firstAddresses(addresses: string[]): string[] {
  return addresses.length > SHOWN_ADDRESSES ? [...addresses.slice(0, SHOWN_ADDRESSES), '…'] : addresses
}

/** Returns one sentence, such as `Charges $49.00; sends 2 e-mails to a@example.com, b@example.com.`, or null for no consequences. */
export function consequencesInWords(groups: readonly Consequences[]): string | null {
  if (groups.length === 0) return null
  return `${sentenceCase(groups.map(inWords).join('; '))}.`
}

function inWords({ kind, count, amount = 0, currency = '', to = [] }: Consequences): string {
  if (kind === 'charge') return `charges ${formatMoney(amount, currency)}${inSeveral(count, 'payment')}`
  if (kind === 'refund') return `refunds ${formatMoney(amount, currency)} at the processor${inSeveral(count, 'refund')}`
  if (kind === 'email') return `sends ${counted(count, 'e-mail')} to ${to.join(', ')}`
  return `${VERBS[kind]} ${counted(count, NAMES[kind] ?? nameInWords(kind))}`
}

function inSeveral(count: number, one: string): string {
  return count > 1 ? ` in ${counted(count, one)}` : ''
}

const VERBS = {
  filing: 'files',
  post: 'publishes on',
  comment: 'acts on',
  task_run: 'starts',
  webhook: 'sends',
} as const
const NAMES: { [kind in ConsequenceKind]?: string } = {
  filing: 'company',
  post: 'social account',
  comment: 'comment on a platform',
}

/** Returns the money movements as text. A plan is applied only if this text has not changed since the plan was made. */
export function moneyOf(groups: readonly Consequences[]): string | null {
  return consequencesInWords(groups.filter(({ kind }) => kind === 'charge' || kind === 'refund'))
}
