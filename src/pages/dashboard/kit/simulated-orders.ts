import { html } from 'hono/html'
import { counted } from '../../../words/counts.ts'
import type { Page } from '../../parts/markup.ts'

/** Says below figures how many of their orders moved no money. */
export function simulatedNote({ simulated_orders: count }: { simulated_orders: number }): Page {
  if (count === 0) return html``
  return html`<p class="notice">These figures include ${counted(count, 'simulated order')}, which moved no money.</p>`
}
