import { html } from 'hono/html'
import { counted } from '../../../words/counts.ts'
import type { Page } from '../../parts/markup.ts'
import type { Plan } from './words.ts'

export const NOT_APPLIED = 'None of these changes were made.'

const LEADS: Record<Plan['state'], string> = {
  open: 'Nothing has changed yet. Applying the plan makes exactly these changes, or none.',
  applied: 'All of these changes were made.',
  rejected: NOT_APPLIED,
  withdrawn: NOT_APPLIED,
  replaced: NOT_APPLIED,
  expired: 'None of these changes were made, and the plan can no longer be applied.',
}

/** What deciding on it means, or meant. A program that goes on in the background changes more than is shown. */
export function leadOf({ state, background_rows }: Plan): string {
  if (state !== 'open' || background_rows === null) return LEADS[state]
  const rows = counted(background_rows, 'row')
  return `Nothing has changed yet. This is the next batch of a program over ${rows}: applying the plan makes exactly these changes, or none, and then goes on with the others in the background.`
}

/** What happens outside the shop once it is applied, where something does: money that moves, letters, posts. */
export function followingOf({ state, after_commit, background_rows }: Plan): Page | '' {
  if (after_commit === null || (state !== 'open' && state !== 'applied')) return ''
  const when =
    state === 'applied'
      ? 'After it was applied'
      : background_rows === null
        ? 'Once applied'
        : 'Once this batch is applied'
  return html`<p class="notice following"><strong>${when}:</strong> ${after_commit}</p>`
}
