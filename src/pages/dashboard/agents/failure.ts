import type { Difference } from '../../../contract/declarations/planned-change.ts'
import type { Json } from '../../../contract/values/json.ts'
import { formatMoney } from '../../../format/money.ts'
import { sentenceCase } from '../../../format/sentences.ts'
import type { Shown } from '../../../resources/nouns.ts'
import { fieldTitle, shortened } from '../kit/words.ts'
import { happening } from './words.ts'

export interface ProgramFailure {
  message: string
  hint?: string | null
  line?: number | null
  differences?: { what: string; field: string; planned: string; now: string }[]
}

const MAX_VALUE = 200

type CurrencyOf = (change: string, field: string) => string | null

const NO_AMOUNTS: CurrencyOf = () => null

export function failureOf(
  answer: Shown<'program_answer'>['answer'],
  currencyOf: CurrencyOf = NO_AMOUNTS,
): ProgramFailure {
  const { error, differences = [] } = answer
  return {
    message: sentenceCase(error?.message ?? 'The program failed.'),
    hint: error?.hint ?? null,
    line: error?.line ?? null,
    differences: differences.flatMap((one) => (typeof one === 'object' ? differenceRow(one, currencyOf) : [])),
  }
}

function differenceRow({ change, name, field, planned, now }: Difference, currencyOf: CurrencyOf) {
  const [event = ''] = change.split(' ')
  const currency = field === undefined ? null : currencyOf(change, field)
  return {
    what: name ?? sentenceCase(happening(event, 1)),
    field: field === undefined ? 'All of it' : fieldTitle(field),
    planned: valueText(planned, currency),
    now: valueText(now, currency),
  }
}

/** Returns a value as text: `{"from": 1, "to": 2}` becomes `1 → 2`. */
function valueText(value: Json, currency: string | null): string {
  if (value === null) return 'nothing'
  if (typeof value === 'string') return shortened(value, MAX_VALUE)
  if (typeof value === 'number' && currency !== null) return formatMoney(value, currency)
  if (isStep(value)) return `${valueText(value.from, currency)} → ${valueText(value.to, currency)}`
  return shortened(JSON.stringify(value), MAX_VALUE)
}

function isStep(value: Json): value is { from: Json; to: Json } {
  return typeof value === 'object' && value !== null && Object.keys(value).join() === 'from,to'
}
