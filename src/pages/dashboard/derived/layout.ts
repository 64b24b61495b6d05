import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'
import type { FormView } from '../kit/visit.ts'

interface Shown {
  name: string
  /** With its label. */
  input: Page
  /** What it holds. */
  text: string
  isWrong: boolean
}

/** The inputs of a form in their groups. The others are folded, unless something is wrong with one of them. */
export function laidOut(inputs: Shown[], { groups }: FormView): Page {
  const byName = new Map(inputs.map((input) => [input.name, input]))
  const parts = groups.map(({ title, names, when, control }) => {
    const own = names.flatMap((name) => byName.get(name) ?? [])
    if (own.length === 0) return ''
    const heading = title === undefined ? '' : html`<legend>${title}</legend>`
    const content = control ? control((name) => byName.get(name)?.text ?? '') : own.map(({ input }) => input)
    return html`<fieldset class="form-group${when ? ` ${when}` : ''}">${heading}${content}</fieldset>`
  })
  const grouped = new Set(groups.flatMap(({ names }) => names))
  return html`${parts}${folded(inputs.filter(({ name }) => !grouped.has(name)))}`
}

function folded(inputs: Shown[]): Page {
  if (inputs.length === 0) return html``
  const isOpen = inputs.some(({ isWrong }) => isWrong)
  return html`<details class="others"${isOpen ? html` open` : ''}><summary>More settings</summary>${inputs.map(({ input }) => input)}</details>`
}
