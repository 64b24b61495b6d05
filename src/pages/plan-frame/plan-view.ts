import { html } from 'hono/html'
import type { Shown } from '../../resources/nouns.ts'
import { type Comparison, comparisonOf, currencyIn } from '../dashboard/agents/comparison.ts'
import { failureOf } from '../dashboard/agents/failure.ts'
import { followingOf, leadOf, NOT_APPLIED, notApplied } from '../dashboard/agents/plan-parts.ts'
import { type Plan, summaryOf, timeUntil } from '../dashboard/agents/words.ts'
import { badge } from '../dashboard/kit/value.ts'
import type { Surroundings } from '../dashboard/kit/visit.ts'
import type { Page } from '../parts/markup.ts'

export type Answer = Shown<'program_answer'>['answer']

/** A plan as it is at the end of the tool call. */
export interface ShownPlan {
  plan: Plan
  /** The changes of the plan; null if they are too large to show. */
  comparison: Comparison | null
  answer: Answer
}

/** Renders a plan's changes and state, with a link to the page on which a person decides. */
export function planView(surroundings: Surroundings, shown: ShownPlan): Page {
  const { plan, comparison } = shown
  const address = `${surroundings.base}/plans/${plan.id}`
  const isOff = plan.state !== 'open' && plan.state !== 'applied'
  const changes = comparison
    ? comparisonOf(surroundings, comparison, { allAddress: `${address}?all=1`, isOff })
    : html`<p class="notice">The changes are too many to show here. The dashboard shows all of them.</p>`
  const problem = problemOf(shown)
  return html`<header class="plan-head"><h1>${summaryOf(plan.counts)}</h1>${badge(stateOf(shown))}</header>
<p class="lead">${problem === null ? leadOf(plan) : NOT_APPLIED}</p>
${plan.note === null ? '' : html`<blockquote class="note">${plan.note}</blockquote>`}
${problem ?? ''}${warningsOf(shown)}
${followingOf(plan)}
${changes}
${footOf(shown, address)}`
}

/** An open plan is outdated if the shop has changed since it was made. */
function stateOf({ plan: { state }, answer }: ShownPlan): string {
  if (state !== 'open') return state
  return answer.error?.type === 'plan_outdated' ? 'outdated' : 'waiting'
}

/** Renders why an open plan was not applied, except if the right is missing, which the page explains anyway. */
function problemOf({ plan, comparison, answer }: ShownPlan): Page | null {
  if (plan.state !== 'open' || !answer.error || answer.error.type === 'permission_denied') return null
  const currencyOf = (key: string, field: string) => (comparison ? currencyIn(comparison, key, field) : null)
  return notApplied({ failure: { ...failureOf(answer, currencyOf), hint: null } })
}

/** The warning with the plan's id tells the program how to ask for a decision, so it is not shown to people. */
function warningsOf({ plan, answer: { warnings = [] } }: ShownPlan): Page {
  const shown = warnings.filter((warning) => !warning.includes(plan.id))
  return html`${shown.map((warning) => html`<p class="notice wait">${warning}</p>`)}`
}

function footOf(shown: ShownPlan, address: string): Page {
  const { expires_at } = shown.plan
  const waits = stateOf(shown) === 'waiting'
  const link = waits
    ? html`<a class="button primary" href="${address}">Decide in the dashboard</a>`
    : html`<a class="button" href="${address}">Open in the dashboard</a>`
  const until = html`<p class="until">Expires in <time datetime="${expires_at}">${timeUntil(expires_at)}</time>.</p>`
  return html`<div class="plan-foot">${link}${shown.plan.state === 'open' ? until : ''}</div>`
}
