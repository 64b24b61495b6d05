import { counted } from '../../words/counts.ts'
import { formatMoney } from '../../words/money.ts'
import { inWords as nameInWords } from '../../words/names.ts'
import { sentenceCase } from '../../words/sentences.ts'

/** What follows the commit of a transaction outside of it, and is not taken back with it. */
export type Consequence =
  | { kind: 'charge' | 'refund'; amount: number; currency: string }
  | { kind: 'email'; to: string }
  | { kind: 'post' | 'comment' | 'filing' | 'task_run' | 'webhook' }

type Kind = Consequence['kind']

/** Consequences of one kind, and of one currency. */
export interface Consequences {
  kind: Kind
  count: number
  /** Of all, in minor units. */
  amount?: number
  currency?: string
  /** The first addresses, each once. */
  to?: string[]
}

const SHOWN_ADDRESSES = 3
/** The order of weight: money first. */
const KINDS: Kind[] = ['charge', 'refund', 'filing', 'email', 'post', 'comment', 'task_run', 'webhook']

/** Consequences by kind and currency, those of most weight first. */
export function summed(consequences: readonly Consequence[]): Consequences[] {
  const groups = Map.groupBy(consequences, (one) => ('currency' in one ? `${one.kind} ${one.currency}` : one.kind))
  return [...groups.values()]
    .flatMap((group) => group.slice(0, 1).map((first) => sumOf(first, group)))
    .toSorted((one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind))
}

function sumOf(first: Consequence, group: Consequence[]): Consequences {
  const amount = group.reduce((sum, one) => sum + ('amount' in one ? one.amount : 0), 0)
  const addresses = [...new Set(group.flatMap((one) => ('to' in one ? [one.to] : [])))]
  return {
    kind: first.kind,
    count: group.length,
    ...('currency' in first && { amount, currency: first.currency }),
    ...(addresses.length > 0 && { to: shownOf(addresses) }),
  }
}

function shownOf(addresses: string[]): string[] {
  return addresses.length > SHOWN_ADDRESSES ? [...addresses.slice(0, SHOWN_ADDRESSES), '…'] : addresses
}

/** One line for a person: `Charges $49.00; sends 2 e-mails to a@example.com, b@example.com.` Null where nothing follows. */
export function consequencesInWords(groups: readonly Consequences[]): string | null {
  if (groups.length === 0) return null
  return `${sentenceCase(groups.map(inWords).join('; '))}.`
}

function inWords({ kind, count, amount = 0, currency = '', to = [] }: Consequences): string {
  if (kind === 'charge') return `charges ${formatMoney(amount, currency)}${together(count, 'payment')}`
  if (kind === 'refund') return `refunds ${formatMoney(amount, currency)} at the processor${together(count, 'refund')}`
  if (kind === 'email') return `sends ${counted(count, 'e-mail')} to ${to.join(', ')}`
  return `${OTHERS[kind]} ${counted(count, NAMES[kind] ?? nameInWords(kind))}`
}

function together(count: number, one: string): string {
  return count > 1 ? ` in ${counted(count, one)}` : ''
}

const OTHERS = {
  filing: 'files',
  post: 'publishes on',
  comment: 'acts on',
  task_run: 'starts',
  webhook: 'sends',
} as const
const NAMES: { [kind in Kind]?: string } = {
  filing: 'company',
  post: 'social account',
  comment: 'comment on a platform',
}

/** What of two runs has to be the same for a plan: the money that moves afterwards. */
export function moneyOf(groups: readonly Consequences[]): string | null {
  return consequencesInWords(groups.filter(({ kind }) => kind === 'charge' || kind === 'refund'))
}
