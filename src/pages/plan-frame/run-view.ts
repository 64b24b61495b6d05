import { html } from 'hono/html'
import { doneOf, summaryOf } from '../dashboard/agents/words.ts'
import type { Page } from '../parts/markup.ts'
import type { Answer } from './plan-view.ts'

type Tone = 'good' | 'bad' | 'plain'

/** What a program did that has to do with no plan, in one line. */
export function runView(answer: Answer): Page {
  const [tone, state, words] = toldOf(answer)
  return html`<p class="run"><span class="badge ${tone}">${state}</span> ${words}</p>`
}

function toldOf({ error, committed, changed, changes }: Answer): [Tone, string, string] {
  if (error) return ['bad', 'Failed', KEPT[committed ?? 'none']]
  if (changes && Object.keys(changes).length > 0) return ['plain', 'Dry run', summaryOf(countsOf(changes))]
  if (changed) return ['good', 'Done', doneOf(changed)]
  return ['plain', 'Done', 'Nothing was changed.']
}

const KEPT: Record<NonNullable<Answer['committed']>, string> = {
  none: 'Nothing was changed.',
  partial: 'Changes made before the error were saved.',
  all: 'Its changes were saved.',
  unknown: 'It is unknown whether its changes were saved.',
}

function countsOf(changes: NonNullable<Answer['changes']>): Record<string, number> {
  const counts = Object.entries(changes).map(([event, change]) => [
    event,
    typeof change === 'string' ? 1 : (change.count ?? 1),
  ])
  return Object.fromEntries(counts)
}
