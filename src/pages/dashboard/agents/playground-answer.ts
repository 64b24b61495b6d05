import { html } from 'hono/html'
import type { RunChanges } from '../../../resources/dashboard/program_run/program_run.ts'
import type { Shown } from '../../../resources/nouns.ts'
import type { Page } from '../../parts/markup.ts'
import { code } from '../kit/value.ts'
import type { Visit } from '../kit/visit.ts'
import { changesTable } from './changes-table.ts'
import { failureOf } from './failure.ts'
import { jsonTree } from './json-tree.ts'

/** What a run in the playground came to. */
export interface Played extends Pick<Shown<'program_answer'>, 'failed' | 'answer'> {
  mode: string
}

/** The answer of a run: what it came to, what it changed, what it printed, and its result. */
export function playedPage(visit: Visit, { mode, failed, answer }: Played): Page {
  const { output, warnings = [], plan, changes = {}, changed, result } = answer
  return html`<section class="played" aria-labelledby="answer-heading" role="status">
<h2 id="answer-heading">${failed ? 'The program failed' : WORDS[mode]}</h2>
${failed ? problem(answer) : ''}
${warnings.map((warning) => html`<p class="notice wait">${warning}</p>`)}
${plan === undefined ? '' : planLink(visit, plan)}
${Object.keys(changes).length > 0 ? html`<h3>What it would change</h3>${changesTable(visit, changes, { planned: true })}` : ''}
${changed ? html`<h3>What it changed</h3>${changesTable(visit, counted(changed))}` : ''}
${output === undefined ? '' : html`<h3>Printed</h3>${code(output, 'What the program printed')}`}
${failed ? '' : html`<h3>Result</h3>${jsonTree(result)}<details class="raw"><summary>As JSON</summary>${code(JSON.stringify(result ?? null, null, 2), 'The result as JSON')}</details>`}
</section>`
}

const WORDS: Record<string, string> = {
  search: 'Found',
  dry_run: 'Dry run: nothing was saved',
  execute: 'Done',
}

function problem(answer: Played['answer']): Page {
  const { message, hint, line } = failureOf(answer)
  const source = answer.error?.source
  return html`<div class="notice bad"><p class="prose">${message}</p>
${line ? html`<p>Line ${line}${source ? html`: <code>${source}</code>` : ''}</p>` : ''}
${hint ? html`<p class="prose"><strong>How to fix it:</strong> ${hint}</p>` : ''}
<p>${answer.committed === 'partial' ? 'Changes made before the error were saved.' : 'Nothing was saved.'}</p></div>`
}

function planLink({ base }: Visit, id: string): Page {
  return html`<p class="plan-link"><a class="button" href="${base}/plans/${encodeURIComponent(id)}" data-turbo-frame="_top">View the plan</a></p>`
}

function counted(changed: Record<string, number>): RunChanges {
  return Object.fromEntries(Object.entries(changed).map(([event, count]) => [event, { count }]))
}
