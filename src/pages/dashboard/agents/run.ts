import { html } from 'hono/html'
import { listed } from '../../../format/lists.ts'
import { SUCCEEDED } from '../../../resources/dashboard/program-run/program-run.ts'
import type { Shown } from '../../../resources/nouns.ts'
import type { Page } from '../../parts/markup.ts'
import { pluralTitle, shortened, valueTitle } from '../kit/words.ts'
import { doneOf, summaryOf, WITHHELD } from './words.ts'

const MAX_LINE = 70
const MOST_SEEN = 3

export type Run = Shown<'program_run'>

const SETTING = /^#+\s*(dry[ _-]?run|atomic|once|apply|ruby|background)\b/i
/** Matches the line that a task puts before its program to name the task run. */
const OF_TASK = /^run = (get\("\/task_runs\/|\{"id" => "atrun_)/

/** Returns the Ruby program's first comment, or its first line of code if it starts with code. */
export function titleOf({ code, withheld }: Pick<Run, 'code' | 'withheld'>): { words: string; isCode: boolean } {
  if (withheld) return { words: WITHHELD, isCode: false }
  const lines = code.split('\n').map((line) => line.trim())
  const told = lines.filter((line) => line !== '' && !SETTING.test(line) && !OF_TASK.test(line))
  const first = told[0] ?? lines[0] ?? ''
  const isCode = !first.startsWith('#')
  return { words: shortened(isCode ? first : first.replace(/^#+\s*/, ''), MAX_LINE), isCode }
}

export function outcome({ outcome }: Pick<Run, 'outcome'>): Page {
  const [tone, words] = outcome === SUCCEEDED ? ['good', 'Succeeded'] : ['bad', valueTitle(outcome)]
  return html`<span class="badge ${tone}">${words}</span>`
}

export function did(run: Run): string {
  const { kind, dry_run, committed, calls_count } = run
  if (run.withheld) return WITHHELD
  if (kind === 'search') return 'Searched the catalogue'
  const counts = countsOf(run)
  const changed = Object.keys(counts).length > 0
  if (dry_run) return changed ? `Planned: ${summaryOf(counts)}` : 'No planned changes'
  if (committed === 'none' || !changed) return calls_count === 0 ? 'No calls' : 'No changes'
  return doneOf(counts)
}

/** Summarizes a run for people who did not write the program. If nothing was changed, the summary names the resources read. */
export function said(run: Run): string {
  if (run.withheld) return WITHHELD
  const isRead = run.kind === 'execute' && Object.keys(countsOf(run)).length === 0
  if (!isRead) return did(run)
  const seen = seenBy(run)
  if (run.error !== null)
    return seen.length === 0 ? 'Stopped before it did anything' : `Stopped after reading ${listed(seen)}`
  return seen.length === 0 ? 'Computed something; nothing was read or changed' : `Read ${listed(seen)}`
}

function seenBy({ calls }: Run): string[] {
  const places = calls.filter(({ method }) => method === 'GET').map(({ path }) => path.split(/[/?]/)[1] ?? '')
  const names = [...new Set(places)].filter((name) => name !== '').map((name) => pluralTitle(name).toLowerCase())
  const more = names.length - MOST_SEEN
  return more > 0 ? [...names.slice(0, MOST_SEEN), `${more} more`] : names
}

/** Returns the number of changed resources by event type, without the entries that were cut and have no count. */
function countsOf({ changes }: Pick<Run, 'changes'>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(changes).flatMap(([event, change]) =>
      typeof change === 'object' && change.count !== undefined ? [[event, change.count]] : [],
    ),
  )
}
