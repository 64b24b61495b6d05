import { formatMoney } from '../../../words/money.ts'
import { sentenceCase } from '../../../words/sentences.ts'
import { shortened } from '../kit/labels.ts'
import { fieldTitle } from '../kit/words.ts'
import { happening } from './words.ts'

/** Why a program kept nothing, in words. */
export interface Failure {
  message: string
  hint?: string | null
  line?: number | null
  differences?: { what: string; field: string; planned: string; now: string }[]
}

interface Difference {
  change: string
  name?: string
  field?: string
  planned: unknown
  now: unknown
}

const MAX_VALUE = 200

/** The currency of a field of a change, by the change's key; null where it is no amount. */
type CurrencyOf = (change: string, field: string) => string | null

const NO_AMOUNTS: CurrencyOf = () => null

/** What the answer of a program that failed says. */
export function failureOf(answer: Record<string, unknown>, currencyOf: CurrencyOf = NO_AMOUNTS): Failure {
  const error = (answer.error ?? {}) as { message?: string; hint?: string | null; line?: number | null }
  const all = Array.isArray(answer.differences) ? (answer.differences as unknown[]) : []
  const differences = all.filter((one): one is Difference => typeof one === 'object' && one !== null)
  return {
    message: sentenceCase(error.message ?? 'The program failed.'),
    hint: error.hint ?? null,
    line: error.line ?? null,
    differences: differences.map((one) => told(one, currencyOf)),
  }
}

function told({ change, name, field, planned, now }: Difference, currencyOf: CurrencyOf) {
  const [event = ''] = change.split(' ')
  const currency = field === undefined ? null : currencyOf(change, field)
  return {
    what: name ?? sentenceCase(happening(event, 1)),
    field: field === undefined ? 'All of it' : fieldTitle(field),
    planned: valueText(planned, currency),
    now: valueText(now, currency),
  }
}

/** `{"from": 1, "to": 2}` → `1 → 2`. */
function valueText(value: unknown, currency: string | null): string {
  if (value === null) return 'nothing'
  if (typeof value === 'string') return shortened(value, MAX_VALUE)
  if (typeof value === 'number' && currency !== null) return formatMoney(value, currency)
  if (isStep(value)) return `${valueText(value.from, currency)} → ${valueText(value.to, currency)}`
  return shortened(JSON.stringify(value), MAX_VALUE)
}

function isStep(value: unknown): value is { from: unknown; to: unknown } {
  return typeof value === 'object' && value !== null && Object.keys(value).join() === 'from,to'
}
