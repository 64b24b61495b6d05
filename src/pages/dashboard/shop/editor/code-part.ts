import { html } from 'hono/html'
import type { Fields } from '../../../../contract/declarations/field.ts'
import type { BodyFields } from '../../../../resources/operation-types.ts'
import type { Page } from '../../../parts/markup.ts'
import { inputId } from '../../derived/part-words.ts'
import { codeList, codesOf } from '../product-codes.ts'
import { type Sheet, sheetInput, sheetSelect, type WordsOf } from './inputs.ts'
import { CODE, partOf } from './rows.ts'

type DiscountField = keyof BodyFields<'POST /discounts'> & string

/** The fields of a discount code that are not folded, each with a CSS class that hides it for the other type of code. */
const FIRST = [
  ['percent_off', 'for-percent'],
  ['amount_off', 'for-amount'],
  ['currency', 'for-amount'],
] as const satisfies readonly (readonly [DiscountField, string])[]

const FOLDED = [
  ['max_redemptions', ''],
  ['redeem_by', ''],
] as const satisfies readonly (readonly [DiscountField, string])[]

const WORDS = {
  code: { label: 'Code', optional: true },
  percent_off: { label: 'Percent' },
  amount_off: { label: 'Amount' },
  currency: { label: 'Currency of the code' },
  max_redemptions: { label: 'Maximum uses', optional: true },
  redeem_by: { label: 'Valid until', optional: true },
} satisfies WordsOf<DiscountField>

export const CODE_LABELS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(WORDS).map(([name, { label }]) => [name, label]),
)

export const CODE_FIELDS: readonly DiscountField[] = [
  'code',
  'discount_type',
  ...[...FIRST, ...FOLDED].map(([name]) => name),
]

const TYPES = [
  ['percent_off', 'Percent off'],
  ['amount_off', 'Amount off'],
] as const

/** Lists the product's codes, with inputs for a new one. Saving creates the code unless its name is empty. */
export async function codePart(sheet: Sheet, fields: Fields, product: string | null): Promise<Page> {
  const input = (name: keyof typeof WORDS) => sheetInput(sheet, fields[name], CODE + name, WORDS[name])
  const inputs = (which: typeof FIRST | typeof FOLDED) =>
    Promise.all(which.map(async ([name, when]) => html`<div class="${when}">${await input(name)}</div>`))
  const [code, first, folded] = [await input('code'), await inputs(FIRST), await inputs(FOLDED)]
  const codes = product === null ? [] : await codesOf(sheet.visit, product)
  const isOpen = FOLDED.some(
    ([name]) => sheet.form.get(CODE + name) || sheet.problems.some(({ field }) => field === inputId(CODE + name)),
  )
  return html`<section class="editor-part code-part" aria-labelledby="part-code"><h2 id="part-code">Discount code</h2>
${codes.length > 0 ? codeList(sheet.visit, codes) : ''}<p class="hint">${codes.length > 0 ? 'To add another code for this product, enter it here.' : 'For this product alone, such as LAUNCH25. Leave it empty for none.'}</p>
<div class="price-inputs">${code}<div>${sheetSelect(sheet, `${CODE}discount_type`, 'Takes off', TYPES)}</div>${first}</div>
<details class="others"${isOpen ? html` open` : ''}><summary>Limits</summary><div class="price-inputs">${folded}</div></details></section>`
}

export function hasCode(form: URLSearchParams): boolean {
  return (form.get(`${CODE}code`) ?? '').trim() !== ''
}

/** Returns the code's part of the form without the fields that do not apply to the code's type. */
export function codeForm(form: URLSearchParams, currency: string): URLSearchParams {
  const own = partOf(form, CODE)
  const isAmount = own.get('discount_type') === 'amount_off'
  for (const name of isAmount ? ['percent_off'] : ['amount_off', 'currency']) own.delete(name)
  if (!isAmount) own.set('discount_type', 'percent_off')
  else if (!own.get('currency')) own.set('currency', currency)
  return own
}
