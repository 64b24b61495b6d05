import { html } from 'hono/html'
import type { Field } from '../../../../contract/declarations/field.ts'
import { describedBy, field as labelled, optionTags, type Page, type Problem } from '../../../parts/markup.ts'
import { inputOf } from '../../derived/inputs.ts'
import { inputId } from '../../derived/part-words.ts'
import { sentText } from '../../derived/read-form.ts'
import { kindOf } from '../../kit/fields.ts'
import type { DashboardContext } from '../../kit/visit.ts'
import { fieldTitle } from '../../kit/words.ts'

export interface Sheet {
  visit: DashboardContext
  form: URLSearchParams
  problems: readonly Problem[]
}

export interface InputWords {
  label?: string | undefined
  hint?: string | undefined
  optional?: boolean
}

/** The compiler rejects a field name that the declaration does not have. */
export type WordsOf<Name extends string> = { readonly [Key in Name]?: InputWords & { label: string } }

/** Renders the input of a field. `name` is its name in the form, such as `price.0.amount`. */
export async function sheetInput(
  { visit, form, problems }: Sheet,
  field: Field | undefined,
  name: string,
  { label = fieldTitle(name), hint = '', optional = false }: InputWords = {},
): Promise<Page> {
  if (!field) return html``
  const id = inputId(name)
  const text = sentText(field, name, form) ?? ''
  const described = describedBy(id, hint, problems)
  const input = await inputOf({ visit, field, name, id, text, described, label, sent: form })
  const isSelect = ['choice', 'flag'].includes(kindOf(field.spec))
  const words = html`${label}${optional && !isSelect ? html` <span class="optional">optional</span>` : ''}`
  return labelled({ id, label: words, hint, problems, input: () => input })
}

export function sheetSelect(
  { form, problems }: Omit<Sheet, 'visit'>,
  name: string,
  label: string,
  options: readonly (readonly [value: string, words: string])[],
): Page {
  const id = inputId(name)
  return labelled({
    id,
    label,
    problems,
    input: (described) =>
      html`<select id="${id}" name="${name}"${described}>${optionTags(options, form.get(name))}</select>`,
  })
}
