import { html } from 'hono/html'
import { counted } from '../../../format/counts.ts'
import { waitInWords } from '../../../format/durations.ts'
import { listed } from '../../../format/lists.ts'
import { inWords } from '../../../format/names.ts'
import { formatNumber } from '../../../format/numbers.ts'
import { sentenceCase } from '../../../format/sentences.ts'
import type { Shown } from '../../../resources/nouns.ts'
import type { Page } from '../../parts/markup.ts'
import { calledOf } from '../kit/words.ts'

function countedThings(object: string, count: number): string {
  return counted(count, calledOf(object))
}

const HAPPENS: Record<string, [one: string, many: string]> = {
  created: ['is created', 'are created'],
  updated: ['is changed', 'are changed'],
  deleted: ['is deleted', 'are deleted'],
  failed: ['fails', 'fail'],
  partially_failed: ['partly fails', 'partly fail'],
  expired: ['expires', 'expire'],
  needs_input: ['needs input', 'need input'],
  started: ['starts', 'start'],
}

const HAPPENED: Record<string, string> = { updated: 'changed' }

export function doneOf(counts: Record<string, number>): string {
  return summaryOf(counts, happened)
}

/** Returns past changes of one type in words: `3 prices changed`, `1 tag created`. */
export function happened(event: string, count: number): string {
  const [object = '', ...kind] = event.split('.')
  return `${countedThings(object, count)} ${HAPPENED[kind.join('.')] ?? inWords(kind.join(' '))}`
}

/** Returns planned changes of one type in words: `3 prices are changed`, `1 tag is created`, `1 order is paid`. */
export function happening(event: string, count: number): string {
  const [object = '', ...happened] = event.split('.')
  const kind = happened.join('.')
  const [one, many] = HAPPENS[kind] ?? []
  const things = countedThings(object, count)
  const verb = count === 1 ? (one ?? `is ${inWords(kind)}`) : (many ?? `are ${inWords(kind)}`)
  return `${things} ${verb}`
}

/** The order of event types in a summary, which is the same as on a plan's page: deletions come first. */
const ORDER = ['deleted', 'updated', 'created']
const SUMMED = 3

/** Summarizes a plan or run in one line: `2 tags are deleted, 3 prices are changed and 4 more`. */
export function summaryOf(counts: Record<string, number>, say = happening): string {
  const rank = (event: string) => {
    const place = ORDER.indexOf(event.split('.')[1] ?? '')
    return place < 0 ? ORDER.length : place
  }
  const all = Object.entries(counts).toSorted(([one], [other]) => rank(one) - rank(other))
  const told = all.slice(0, SUMMED).map(([event, count]) => say(event, count))
  const more = all.slice(SUMMED).reduce((sum, [, count]) => sum + count, 0)
  const parts = more > 0 ? [...told, `${formatNumber(more)} more`] : told
  return sentenceCase(listed(parts) || 'nothing changes')
}

const SEEN_BY = {
  run: 'Only the person who ran it, owners and admins see the program, what it did and why it failed.',
  program: 'Only the person who began it, owners and admins see the program and its results, and may stop it.',
  plan: 'Only the person who made the plan, people who may apply it, owners and admins see what it changes and decide on it.',
}

export function withheldNotice(what: keyof typeof SEEN_BY): Page {
  return html`<p class="notice">${SEEN_BY[what]}</p>`
}

export type Plan = Shown<'program_plan'>

/** Shown in place of the details that only a run's caller, owners and admins may see. */
export const WITHHELD = 'Not shown to you'

export function planTitle({ counts, withheld }: Plan): string {
  return withheld ? WITHHELD : summaryOf(counts)
}

type RanProgram = Pick<Shown<'program_plan'>, 'caller_kind' | 'caller_name' | 'user_name' | 'task_run'>

/** Returns who ran or planned a Ruby program: `My agent`, `Ada`, `A task`. */
export function whoOf({ caller_kind, caller_name, user_name, task_run }: RanProgram): string {
  if (task_run) return 'A task'
  if (caller_kind === 'token') return caller_name ?? 'A token that was deleted'
  return user_name ?? 'A person who has left'
}

export function timeUntil(moment: string, now = Date.now()): string {
  return waitInWords((Date.parse(moment) - now) / 1_000)
}
