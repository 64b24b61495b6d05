import { html } from 'hono/html'
import type { Fields } from '../../../../contract/declarations/field.ts'
import type { Page } from '../../../parts/document.ts'
import { inputId } from '../../derived/nested-inputs.ts'
import { type InputWords, type Sheet, sheetInput, sheetSelect } from './inputs.ts'
import { CODE, partOf } from './rows.ts'

/** The fields of a discount that the editor shows. */
const SHOWN = [
  ['code', ''],
  ['percent_off', 'for-percent'],
  ['amount_off', 'for-amount'],
  ['currency', 'for-amount'],
  ['max_redemptions', ''],
  ['redeem_by', ''],
] as const

const WORDS: Readonly<Record<string, InputWords & { label: string }>> = {
  code: { label: 'Code', hint: 'Letters, digits, hyphens and underscores, such as LAUNCH25.' },
  percent_off: { label: 'Percent', hint: 'Such as 25.' },
  amount_off: { label: 'Amount', hint: 'Off the total.' },
  currency: { label: 'Currency of the code' },
  max_redemptions: { label: 'Maximum uses', optional: true },
  redeem_by: { label: 'Valid until', optional: true },
}

export const CODE_LABELS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(WORDS).map(([name, { label }]) => [name, label]),
)

export const CODE_FIELDS = ['discount_type', ...SHOWN.map(([name]) => name)]

/** A discount code for this product, made together with it: none while the code is empty. */
export async function codePart(sheet: Sheet, fields: Fields): Promise<Page> {
  const types = [
    ['percent_off', 'Percent off'],
    ['amount_off', 'Amount off'],
  ] as const
  const inputs = await Promise.all(
    SHOWN.map(
      async ([name, when]) =>
        html`<div class="${when}">${await sheetInput(sheet, fields[name], CODE + name, WORDS[name])}</div>`,
    ),
  )
  const [code, ...others] = inputs
  const isOpen = hasCode(sheet.form) || sheet.problems.some(({ field }) => field?.startsWith(inputId(CODE)))
  return html`<details class="editor-part code-part"${isOpen ? html` open` : ''}><summary>Discount code</summary>
<p class="hint">For this product alone. Leave the code empty for none.</p>
<div class="price-inputs">${code}<div>${sheetSelect(sheet, `${CODE}discount_type`, 'Takes off', types)}</div>${others}</div></details>`
}

export function hasCode(form: URLSearchParams): boolean {
  return (form.get(`${CODE}code`) ?? '').trim() !== ''
}

/** What the form says of the code, without what its type has no use for. */
export function codeForm(form: URLSearchParams, currency: string): URLSearchParams {
  const own = partOf(form, CODE)
  const isAmount = own.get('discount_type') === 'amount_off'
  for (const name of isAmount ? ['percent_off'] : ['amount_off', 'currency']) own.delete(name)
  if (!isAmount) own.set('discount_type', 'percent_off')
  else if (!own.get('currency')) own.set('currency', currency)
  return own
}
