import { html } from 'hono/html'
import { showHidden, withHiddenShown } from '../../../format/hidden-characters.ts'
import { formatMoment } from '../../../format/moments.ts'
import { planComparison } from '../../../resources/dashboard/plan-comparison/plan-comparison.ts'
import { factList, type Page } from '../../parts/markup.ts'
import { type BulkChoice, chosenIn, titleOfChosen, whatHappened, whatHappens } from '../derived/chosen.ts'
import { framed, goDone, goTo } from '../kit/answers.ts'
import { type Answer, RefusedError, refusalOf, shown } from '../kit/call.ts'
import { badge } from '../kit/value.ts'
import { type At, type DashboardContext, type DashboardPage, pageAt } from '../kit/visit.ts'
import { pluralTitle } from '../kit/words.ts'
import { numberedCode } from './code.ts'
import { type Comparison, comparisonOf, currencyIn } from './comparison.ts'
import { failureOf, followingOf, leadOf, NOT_APPLIED, type NotApplied, notApplied } from './plan-parts.ts'
import { type Plan, planTitle, summaryOf, timeUntil, whoOf, withheldNotice } from './words.ts'

const SHOWN = 10
const ALL = 1_000

interface RefusedDecision extends NotApplied {
  status: number
  note: string
}

export const planPages: DashboardPage[] = [
  pageAt({ path: '/plans/:id', see: 'programs.read', get: (visit, { id }) => show(visit, id) }),
  decisionPage('/plans/:id/apply', apply),
  decisionPage('/plans/:id/reject', reject),
  decisionPage('/plans/:id/again', makeAgain),
]

type Decide = NonNullable<DashboardPage<'/plans/:id'>['post']>

function decisionPage(path: `/plans/:id/${string}`, post: Decide): DashboardPage {
  return { path, see: 'programs.read', send: 'programs.write', get: backToPlan, post } as DashboardPage
}

async function backToPlan({ base }: DashboardContext, { id }: At<'/plans/:id'>): Promise<Response> {
  return goTo(`${base}/plans/${encodeURIComponent(id)}`)
}

async function apply(visit: DashboardContext, { id }: At<'/plans/:id'>, form: URLSearchParams): Promise<Response> {
  const chosen = chosenIn(visit, await shown(visit.call('GET /plans/{id}', { path: { id } })))
  const answer = await visit.call('POST /plans/{id}/apply', { path: { id }, body: bodyOf(form) })
  const note = form.get('note') ?? ''
  const refused = refusedDecision(answer, { note })
  if (refused) return show(visit, id, refused)
  const { failed, answer: said } = answer.body
  if (failed) {
    const compared = await comparisonWith(visit, id, ALL)
    const failure = failureOf(withHiddenShown(said), (key, field) => currencyIn(compared, key, field))
    return show(visit, id, { status: 409, failure, note })
  }
  if (chosen) return goDone(visit, chosen.list, 'applied', whatHappened(chosen) ?? undefined)
  return goDone(visit, `${visit.base}/plans/${encodeURIComponent(id)}`, 'applied')
}

async function reject(visit: DashboardContext, { id }: At<'/plans/:id'>, form: URLSearchParams): Promise<Response> {
  const chosen = chosenIn(visit, await shown(visit.call('GET /plans/{id}', { path: { id } })))
  const answer = await visit.call('POST /plans/{id}/reject', { path: { id }, body: bodyOf(form) })
  const refused = refusedDecision(answer, { note: form.get('note') ?? '' })
  if (refused) return show(visit, id, refused)
  if (chosen) return goDone(visit, chosen.list, 'rejected', 'Nothing was changed.')
  return goDone(visit, `${visit.base}/plans/${encodeURIComponent(id)}`, 'rejected')
}

/** Returns what to show of a refusal, or null if there is none. Throws RefusedError if the plan does not exist. */
function refusedDecision(
  answer: Answer<object>,
  words: Pick<RefusedDecision, 'title' | 'note'>,
): RefusedDecision | null {
  const refusal = refusalOf(answer)
  if (refusal?.code === 'resource_missing') throw new RefusedError(answer)
  return refusal && { ...words, status: answer.status, failure: { message: refusal.message } }
}

/** Reads the note from a form, in which browsers end lines with CR LF. An empty note becomes null. */
function bodyOf(form: URLSearchParams): { note: string | null } {
  const note = (form.get('note') ?? '').replaceAll('\r\n', '\n').trim()
  return { note: note === '' ? null : note }
}

async function makeAgain(visit: DashboardContext, { id }: At<'/plans/:id'>): Promise<Response> {
  const answer = await visit.call('POST /plans/{id}/again', { path: { id } })
  const words = { title: 'No new plan was made', note: '' }
  const refused = refusedDecision(answer, words)
  if (refused) return show(visit, id, refused)
  const { failed, answer: said } = answer.body
  if (failed) return show(visit, id, { ...words, status: 409, failure: failureOf(said) })
  return goDone(visit, `${visit.base}/plans/${encodeURIComponent(String(said.plan))}`, 'planned')
}

async function show(visit: DashboardContext, id: string, refused?: RefusedDecision): Promise<Response> {
  const each = visit.query.has('all') ? ALL : SHOWN
  const found = await shown(visit.call('GET /plans/{id}', { path: { id } }))
  const plan = withHiddenShown(found)
  if (plan.withheld) return showWithheld(visit, plan)
  const chosen = chosenIn(visit, found)
  const comparison = await comparisonWith(visit, id, each)
  const address = `${visit.base}/plans/${encodeURIComponent(id)}`
  const content = html`${refused ? notApplied(refused, plan.state === 'open' ? makeAgainForm(visit, plan) : '') : ''}
<div class="plan"><div class="plan-changes">${plan.state === 'open' ? TO_DECISION : ''}${followingOf(plan)}${comparisonOf(visit, comparison, { allAddress: `${address}?all=1`, isOff: plan.state !== 'open' && plan.state !== 'applied' })}
<details class="program"><summary>View the program</summary>${numberedCode(plan.code)}</details></div>
<aside class="plan-side" id="decision" aria-label="Decision">${decision(visit, plan, { note: refused?.note ?? '', chosen })}${chosen ? '' : facts(visit, plan)}</aside></div>`
  const options = {
    title: chosen ? showHidden(titleOfChosen(chosen)) : summaryOf(plan.counts),
    crumbs: [
      chosen
        ? { words: pluralTitle(chosen.things.path), address: chosen.list }
        : { words: 'Plans', address: `${visit.base}/plans` },
    ],
    beside: chosen && plan.state === 'open' ? undefined : badge(plan.state),
    lead: refused ? NOT_APPLIED : chosen && plan.state === 'open' ? openLead(visit, plan, chosen) : leadOf(plan),
  }
  return framed(visit, { ...options, status: refused?.status }, content)
}

/** Shows only the facts about a plan whose changes the person may not read. */
async function showWithheld(visit: DashboardContext, plan: Plan): Promise<Response> {
  const crumbs = [{ words: 'Plans', address: `${visit.base}/plans` }]
  const options = { title: planTitle(plan), crumbs, beside: badge(plan.state) }
  return framed(visit, options, html`${withheldNotice('plan')}${facts(visit, plan)}`)
}

/** Describes an open plan that a person made by choosing rows of a list. */
function openLead({ person }: DashboardContext, plan: Plan, chosen: BulkChoice): string {
  const who = plan.user_id === person.userId ? 'You' : (plan.user_name ?? 'Somebody who has left')
  return `${whatHappens(chosen, who) ?? `${summaryOf(plan.counts)}.`} Nothing has changed yet.`
}

/** Loads the plan's changes for display. `each` is the maximum number of changes per type. */
async function comparisonWith(visit: DashboardContext, id: string, each: number): Promise<Comparison> {
  return withHiddenShown(await visit.read(planComparison, id, each))
}

/** A link for narrow screens, where the decision is below the changes. */
const TO_DECISION = html`<p class="to-decision"><a href="#decision">Go to your decision</a></p>`

function facts(visit: DashboardContext, plan: Plan): Page {
  const moment = html`<time datetime="${plan.created_at}">${formatMoment(plan.created_at, visit.account.timezone)}</time>`
  return factList('facts', [
    ['Planned by', whoOf(plan)],
    ['With the rights of', plan.user_name ?? 'someone who has left the account'],
    ['Planned', moment],
    plan.replaces !== null && [
      'Made again from',
      html`<a href="${visit.base}/plans/${plan.replaces}">an earlier plan</a>`,
    ],
    plan.task_run !== null && ['For', html`<a href="${visit.base}/task_runs/${plan.task_run}">a task run</a>`],
  ])
}

interface DecisionOptions {
  note: string
  /** The rows that a person chose in a list, or null if the plan was made in another way. */
  chosen: BulkChoice | null
}

function decision(visit: DashboardContext, plan: Plan, { note, chosen }: DecisionOptions): Page {
  if (plan.state === 'open') return chosen ? ownDecision(visit, plan, chosen) : openDecision(visit, plan, note)
  if (plan.state === 'expired')
    return html`<section class="card"><h2>This plan expired</h2>
<p>Plans expire because the shop may change. ${plan.task_run === null ? 'Make it again' : 'Approve its task run'} to see what it would change now:</p>
${makeAgainForm(visit, plan)}</section>`
  if (plan.state === 'replaced')
    return html`<section class="card"><h2>Replaced</h2>
<p>The plan was made again. Decide on <a href="${visit.base}/plans/${plan.replaced_by}">the new plan</a> instead.</p></section>`
  if (plan.state === 'withdrawn')
    return html`<section class="card"><h2>Withdrawn</h2><p>${whoOf(plan)} took the plan back${decidedAt(visit, plan)}.</p></section>`
  const by = plan.decided_by_name ?? 'someone outside the dashboard'
  return html`<section class="card"><h2>${plan.state === 'applied' ? 'Applied' : 'Rejected'}</h2><p>By ${by}${decidedAt(visit, plan)}.</p>
${plan.note === null ? '' : html`<blockquote class="note">${plan.note}</blockquote>`}
${plan.state === 'rejected' ? playgroundLink(visit, plan) : html`<p><a href="${visit.base}/runs?plan=${plan.id}">See its runs</a></p>`}</section>`
}

function openDecision({ base, csrf }: DashboardContext, { id, expires_at, may_apply }: Plan, note: string): Page {
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

/** Shows the decision without a field for a note, because the person decides about their own plan. */
function ownDecision({ base, csrf }: DashboardContext, { id, expires_at }: Plan, { action }: BulkChoice): Page {
  const address = `${base}/plans/${id}`
  return html`<form class="card decide" method="post" action="${address}/apply">
<h2>${action.danger ? 'This cannot be taken back' : 'Apply this?'}</h2>
<input type="hidden" name="csrf" value="${csrf}">
<div class="form-buttons"><button class="${action.danger ? 'danger-solid' : 'primary'}">Apply</button><button class="quiet" formaction="${address}/reject">Cancel</button></div>
<p class="hint until">Kept for <time datetime="${expires_at}">${timeUntil(expires_at)}</time>.</p>
</form>`
}

function decidedAt(visit: DashboardContext, { decided_at }: Plan): Page | string {
  if (!decided_at) return ''
  return html` on <time datetime="${decided_at}">${formatMoment(decided_at, visit.account.timezone)}</time>`
}

/** Renders a button that makes the plan again. The plan of a task run links to that run instead, which makes new plans itself. */
function makeAgainForm(visit: DashboardContext, plan: Plan): Page {
  const { base, csrf } = visit
  if (plan.task_run !== null)
    return html`<p><a class="button" href="${base}/task_runs/${plan.task_run}">Open the task run</a></p>`
  return html`<form method="post" action="${base}/plans/${plan.id}/again"><input type="hidden" name="csrf" value="${csrf}">
<button class="button">Make the plan again</button></form>
${playgroundLink(visit, plan)}`
}

function playgroundLink({ base }: DashboardContext, { id }: Plan): Page {
  return html`<p><a class="button" href="${base}/playground?plan=${id}" data-turbo="false">Open in the playground</a></p>`
}
