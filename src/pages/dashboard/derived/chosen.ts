import { readFileSync } from 'node:fs'
import { html } from 'hono/html'
import { z } from 'zod'
import { jsonIn } from '../../../contract/values/json.ts'
import { counted, nounFor } from '../../../format/counts.ts'
import { formatNumber } from '../../../format/numbers.ts'
import type { Page } from '../../parts/markup.ts'
import type { Manageable } from '../kit/catalogue.ts'
import type { BulkAction, BulkWords, DashboardContext } from '../kit/visit.ts'
import { calledOf } from '../kit/words.ts'

/** Matches a path below the account's address, with or without a query. */
const BACK = /^((?:\/\w+)+)(?:\?(.*))?$/
const MAX_BACK = 1_000

/** The start of every bulk program. Only the JSON that follows it contains input from the browser. */
const PROGRAM = `${readFileSync(new URL('bulk.rb', import.meta.url), 'utf8')}# arguments: `

const Arguments = z.object({
  data: z.object({
    list: z.string(),
    chosen: z.array(z.string()).min(1),
    action: z.string(),
    asked: z.string(),
    back: z.string(),
  }),
})

const DELETE: BulkAction = {
  name: 'delete',
  button: 'Delete',
  method: 'delete',
  danger: true,
  says: becomes('deleted'),
}

/** Builds the texts about an action from its participle, such as `archived`. */
export function becomes(participle: string): () => BulkWords {
  return () => ({
    happens: [`is ${participle}`, `are ${participle}`],
    isAlready: [`is ${participle} already`, `are ${participle} already`],
    happened: [`was ${participle}`, `were ${participle}`],
    wasAlready: [`was ${participle} already`, `were ${participle} already`],
  })
}

export function declaredActions({ catalogue }: DashboardContext, { noun }: Manageable): readonly BulkAction[] {
  const declared = catalogue.viewOf(noun.name)?.bulk ?? []
  return declared.some(({ method }) => method === 'delete') ? declared : [...declared, DELETE]
}

interface BulkRequest {
  chosen: string[]
  action: BulkAction
  asked: string
  back: string
}

export function programOf({ path }: Manageable, { chosen, action, asked, back }: BulkRequest): string {
  const { name, method, word, below = '', asks, body = {} } = action
  const step = word ? { method: word } : { method, below, body: asks ? { ...body, [asks.field]: [asked] } : body }
  return `${PROGRAM}${JSON.stringify({ argv: [], data: { list: `/${path}`, chosen, step, action: name, asked, back } })}`
}

export interface BulkChoice {
  things: Manageable
  action: BulkAction
  asked: string
  count: number
  changed: number
  list: string
}

interface ChosenPlan {
  code: string
  caller_kind: string
  counts: Readonly<Record<string, number>>
}

/** Returns the action and the rows of a plan that a person made in a list, or null for any other plan. */
export function chosenIn(visit: DashboardContext, { code, caller_kind, counts }: ChosenPlan): BulkChoice | null {
  if (caller_kind !== 'session' || !code.startsWith(PROGRAM)) return null
  const { data } = Arguments.safeParse(jsonIn(code.slice(PROGRAM.length))).data ?? {}
  const things = data ? visit.catalogue.at(data.list.slice(1)) : undefined
  const action = things && declaredActions(visit, things).find(({ name }) => name === data?.action)
  if (!data || !things || !action) return null
  const own = Object.entries(counts).filter(([event]) => event.startsWith(`${things.noun.name}.`))
  const changed = Math.max(0, ...own.map(([, count]) => count))
  return {
    ...{ things, action, changed, asked: data.asked, count: data.chosen.length },
    list: backTo(visit, things, data.back),
  }
}

/** Returns the plan's title: `Add tag “VIP”: 3 customers`. */
export function titleOfChosen({ action, asked, things, count }: BulkChoice): string {
  const what = asked === '' ? action.button : `${action.button} “${asked}”`
  return `${what}: ${counted(count, calledOf(things.noun.name))}`
}

/**
 * Returns the effect of an open plan: `You chose 3 customers. 2 get the tag “VIP”; 1 has it already.` Returns null if the plan
 * changes none of them, or more rows than were chosen.
 */
export function whatHappens(chosen: BulkChoice, who: string): string | null {
  const { happens, isAlready } = wordsOf(chosen)
  const { count, changed, things } = chosen
  if (changed === 0 || changed > count) return null
  const one = calledOf(things.noun.name)
  const rest = count - changed
  if (count === 1) return `1 ${one} ${happens[0]}.`
  if (rest === 0) return `${who} chose ${counted(count, one)}. All of them ${happens[1]}.`
  return `${who} chose ${counted(count, one)}. ${numbered(changed, happens)}; ${numbered(rest, isAlready)}.`
}

/**
 * Returns the effect of an applied plan: `2 customers got the tag “VIP”. 1 had it already.` Returns null if the plan changed none
 * of the chosen rows, or more rows than were chosen.
 */
export function whatHappened(chosen: BulkChoice): string | null {
  const { happened, wasAlready } = wordsOf(chosen)
  const { count, changed, things } = chosen
  if (changed === 0 || changed > count) return null
  const rest = count - changed
  const did = `${counted(changed, calledOf(things.noun.name))} ${nounFor(changed, ...happened)}.`
  return rest === 0 ? did : `${did} ${numbered(rest, wasAlready)}.`
}

function wordsOf({ action, asked }: BulkChoice): BulkWords {
  return (action.says ?? becomes('changed'))(asked)
}

function numbered(count: number, words: readonly [one: string, many: string]): string {
  return `${formatNumber(count)} ${nounFor(count, ...words)}`
}

/** Renders a hidden input with the address of the list and its filters, to which the browser returns after the form. */
export function backField({ path, base, query }: DashboardContext): Page {
  return html`<input type="hidden" name="back" value="${path.slice(base.length)}?${query.toString()}">`
}

export function backIn(form: URLSearchParams): string {
  return (form.get('back') ?? '').slice(0, MAX_BACK)
}

/** Returns the address that `backField` sent, or the list's address if the sent one is invalid. */
export function backTo({ base }: Pick<DashboardContext, 'base'>, { path }: Manageable, back: string): string {
  const [, page = `/${path}`, words = ''] = BACK.exec(back) ?? []
  const query = new URLSearchParams(words)
  query.delete('done')
  return `${base}${page}${query.size > 0 ? `?${query.toString()}` : ''}`
}

/** Returns the address that `backField` sent, without the filters. */
export function pageBehind(visit: DashboardContext, things: Manageable, form: URLSearchParams): string {
  return backTo(visit, things, backIn(form).replace(/\?.*/, ''))
}
