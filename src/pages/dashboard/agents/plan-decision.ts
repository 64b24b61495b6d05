import { html } from 'hono/html'
import { formatMoment } from '../../../words/moments.ts'
import type { Page } from '../../parts/markup.ts'
import type { Chosen } from '../derived/chosen.ts'
import type { Visit } from '../kit/visit.ts'
import { type Plan, timeUntil, whoOf } from './words.ts'

interface Decided {
  /** What was typed for whoever made the plan. */
  note: string
  /** What it is about, where a person made it from a list. */
  chosen: Chosen | null
}

/** Where a person decides on a plan, or what became of it. */
export function decision(visit: Visit, plan: Plan, { note, chosen }: Decided): Page {
  if (plan.state === 'open') return chosen ? ownDecision(visit, plan, chosen) : openDecision(visit, plan, note)
  if (plan.state === 'expired')
    return html`<section class="card"><h2>This plan expired</h2>
<p>Plans expire because the shop may change. ${plan.task_run === null ? 'Make it again' : 'Approve its task run'} to see what it would change now:</p>
${makeAgainForm(visit, plan)}</section>`
  if (plan.state === 'replaced')
    return html`<section class="card"><h2>Replaced</h2>
<p>The plan was made again. Decide on <a href="${visit.base}/plans/${plan.replaced_by}">the new plan</a> instead.</p></section>`
  if (plan.state === 'withdrawn')
    return html`<section class="card"><h2>Withdrawn</h2><p>${whoOf(plan)} took the plan back${moment(visit, plan)}.</p></section>`
  const by = plan.decided_by_name ?? 'someone outside the dashboard'
  return html`<section class="card"><h2>${plan.state === 'applied' ? 'Applied' : 'Rejected'}</h2><p>By ${by}${moment(visit, plan)}.</p>
${plan.note === null ? '' : html`<blockquote class="note">${plan.note}</blockquote>`}
${plan.state === 'rejected' ? again(visit, plan) : html`<p><a href="${visit.base}/runs?plan=${plan.id}">See its runs</a></p>`}</section>`
}

function openDecision({ base, csrf }: Visit, { id, expires_at, may_apply }: Plan, note: string): Page {
  const address = `${base}/plans/${id}`
  const apply = may_apply ? html`<button class="primary">Apply</button>` : ''
  return html`<form class="card decide" method="post" action="${address}/apply">
<h2>Your decision</h2>
${may_apply ? '' : html`<p>It does more than your role allows, so someone with more rights must apply it. You can reject it.</p>`}
<input type="hidden" name="csrf" value="${csrf}">
<div class="field"><label for="note">Note <span class="optional">optional</span></label>
<p class="hint" id="note-hint">The agent sees the note the next time it checks the plan.</p>
<textarea id="note" name="note" rows="3" maxlength="1000" aria-describedby="note-hint">${note}</textarea></div>
<div class="form-buttons">${apply}<button class="danger" formaction="${address}/reject">Reject</button></div>
<p class="hint until">Expires in <time datetime="${expires_at}">${timeUntil(expires_at)}</time>.</p>
</form>`
}

/** Nobody waits for a word about what a person chose: it is done, or not. */
function ownDecision({ base, csrf }: Visit, { id, expires_at }: Plan, { action }: Chosen): Page {
  const address = `${base}/plans/${id}`
  return html`<form class="card decide" method="post" action="${address}/apply">
<h2>${action.danger ? 'This cannot be taken back' : 'Apply this?'}</h2>
<input type="hidden" name="csrf" value="${csrf}">
<div class="form-buttons"><button class="${action.danger ? 'danger-solid' : 'primary'}">Apply</button><button class="quiet" formaction="${address}/reject">Cancel</button></div>
<p class="hint until">Kept for <time datetime="${expires_at}">${timeUntil(expires_at)}</time>.</p>
</form>`
}

function moment(visit: Visit, { decided_at }: Plan): Page | string {
  if (!decided_at) return ''
  return html` on <time datetime="${decided_at}">${formatMoment(decided_at, visit.account.timezone)}</time>`
}

/** A task run makes a new plan by itself when it is approved. */
export function makeAgainForm(visit: Visit, plan: Plan): Page {
  const { base, csrf } = visit
  if (plan.task_run !== null)
    return html`<p><a class="button" href="${base}/task_runs/${plan.task_run}">Open the task run</a></p>`
  return html`<form method="post" action="${base}/plans/${plan.id}/again"><input type="hidden" name="csrf" value="${csrf}">
<button class="button">Make the plan again</button></form>
${again(visit, plan)}`
}

function again({ base }: Visit, { id }: Plan): Page {
  return html`<p><a class="button" href="${base}/playground?plan=${id}" data-turbo="false">Open in the playground</a></p>`
}
