import { html } from 'hono/html'
import { formatPercent } from '../../../words/numbers.ts'
import type { Page } from '../../parts/markup.ts'
import type { Unit } from './series.ts'

/** In words, since a colour alone says nothing to many. */
export function change(value: number, before: number, unit: Unit, than: string): Page {
  const when = than === '' ? '' : ` ${than.startsWith('the start') ? 'at' : 'in'} ${than}`
  const then = html`${unit.text(before)}${when}`
  if (value === before) return html`${than === '' ? 'Unchanged' : `As much as${when}`}`
  if (before <= 0) return html`${than === '' ? html`Before: ${then}` : then}`
  const percent = Math.round(((value - before) / before) * 100)
  const [tone, word] = value > before ? ['up', 'more'] : ['down', 'less']
  const size = percent === 0 ? 'Slightly' : formatPercent(Math.abs(percent))
  return html`<span class="${tone}">${size} ${word}</span> <span>than ${then}</span>`
}
