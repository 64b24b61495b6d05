import { readFileSync } from 'node:fs'
import { html } from 'hono/html'
import { type Caller, isUser, type UserCaller } from '../../contract/declarations/caller.ts'
import { withHiddenShown } from '../../format/hidden-characters.ts'
import { findPlan } from '../../pipeline/program-plans.ts'
import { planComparison } from '../../resources/dashboard/plan-comparison/plan-comparison.ts'
import type { Shown } from '../../resources/nouns.ts'
import { type Comparison, comparisonOf, currencyIn } from '../dashboard/agents/comparison.ts'
import { failureOf, followingOf, leadOf, NOT_APPLIED, notApplied } from '../dashboard/agents/plan-parts.ts'
import { doneOf, type Plan, summaryOf, timeUntil } from '../dashboard/agents/words.ts'
import { callByName, shown } from '../dashboard/kit/call.ts'
import { Catalogue } from '../dashboard/kit/catalogue.ts'
import { badge } from '../dashboard/kit/value.ts'
import type { Surroundings } from '../dashboard/kit/visit.ts'
import { operationCaller, readerFor } from '../dashboard/kit/visits.ts'
import { BASE, sheets } from '../parts/asset.ts'
import type { Page } from '../parts/markup.ts'
import type { PageParts } from '../parts/page-parts.ts'

const COMMIT_SENTENCES: Record<NonNullable<Answer['committed']>, string> = {
  none: 'Nothing was changed.',
  partial: 'Changes made before the error were saved.',
  all: 'Its changes were saved.',
  batch: 'The changes of its batches so far were saved.',
  unknown: 'It is unknown whether its changes were saved.',
}

const STYLES = [
  ...BASE,
  ...sheets(
    import.meta.url,
    ...['base', 'buttons', 'cards', 'text', 'tables'].map((name) => `../dashboard/kit/styles/${name}`),
  ),
  ...sheets(import.meta.url, '../dashboard/agents/plans', 'frame'),
]

/** Blocks all loading and sending, even if the client's own policy is looser. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

type PlanFrameParts = Pick<PageParts, 'pipeline' | 'database' | 'publicUrl' | 'log'>

/** The answer to a tool call of the MCP endpoint, and the plan that it concerns. */
interface ShownCall {
  planId: string | null
  answer: string
}

/** The numbers of changes to show per type. While the view is too large, the next smaller number is used. */
const CHANGES_PER_TYPE = [10, 3, 1]
/** The maximum size of a view, because clients keep every result of a conversation. */
const MAX_VIEW_BYTES = 64 * 1024

/** Shows plans in a frame of an MCP client with the components of the dashboard. */
export function planFrame(parts: PlanFrameParts) {
  const catalogue = new Catalogue(parts.pipeline)
  return {
    page: pageOf(parts.publicUrl),
    async show(caller: Caller, { planId, answer }: ShownCall): Promise<string | null> {
      try {
        const told: Answer = JSON.parse(answer)
        const plan =
          planId !== null && isUser(caller) ? await viewOfPlan(parts, catalogue, { caller, planId, told }) : null
        return plan ?? (await asText(runView(told)))
      } catch (error) {
        parts.log.error({ err: error }, 'What a tool call came to could not be shown')
        return null
      }
    },
  }
}

/** Renders a plan as HTML. Returns null if the caller has no plan with this id. */
async function viewOfPlan(
  parts: PlanFrameParts,
  catalogue: Catalogue,
  { caller, planId, told: answer }: { caller: UserCaller; planId: string; told: Answer },
): Promise<string | null> {
  const found = await findPlan(parts.database, caller, planId)
  if (!found) return null
  const ask = callByName(operationCaller(parts, caller))
  const read = readerFor(parts, caller)
  const path = { id: found.id }
  const [account, plan] = [await shown(ask('GET /account')), await shown(ask('GET /plans/{id}', { path }))]
  const surroundings = { parts, catalogue, account, base: `${parts.publicUrl}/dashboard/${account.subdomain}` }
  const view = (comparison: Comparison | null) =>
    asText(planView(surroundings, withHiddenShown({ plan, comparison, answer })))
  for (const each of CHANGES_PER_TYPE) {
    const text = await view(await read(planComparison, found.id, each))
    if (Buffer.byteLength(text) <= MAX_VIEW_BYTES) return text
  }
  return view(null)
}

async function asText(page: Page): Promise<string> {
  return String(await page)
}

/** Returns the page that an MCP client shows in a frame, as one self-contained file. `publicUrl` has no slash at the end. */
export function pageOf(publicUrl: string): string {
  const style = STYLES.map(text).join('\n')
  const script = text(new URL('./frame.js', import.meta.url))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Plan</title>
<style>
${style}</style>
</head>
<body>
<main aria-live="polite" aria-busy="true"></main>
<template><p>This client did not pass on what there is to show. Plans wait for a decision in <a href="${publicUrl}/dashboard">the dashboard</a>.</p></template>
<script type="module">
${script}</script>
</body>
</html>
`
}

function text(file: URL): string {
  return readFileSync(file, 'utf8')
}

function runView(answer: Answer): Page {
  const [tone, state, words] = runSummary(answer)
  return html`<p class="run"><span class="badge ${tone}">${state}</span> ${words}</p>`
}

function runSummary({ error, committed, changed, changes }: Answer): ['good' | 'bad' | 'plain', string, string] {
  if (error) return ['bad', 'Failed', COMMIT_SENTENCES[committed ?? 'none']]
  if (changes && Object.keys(changes).length > 0) return ['plain', 'Dry run', summaryOf(countsOf(changes))]
  if (changed) return ['good', 'Done', doneOf(changed)]
  return ['plain', 'Done', 'Nothing was changed.']
}

function countsOf(changes: NonNullable<Answer['changes']>): Record<string, number> {
  const counts = Object.entries(changes).map(([event, change]) => [
    event,
    typeof change === 'string' ? 1 : (change.count ?? 1),
  ])
  return Object.fromEntries(counts)
}

type Answer = Shown<'program_answer'>['answer']

/** A plan as it is at the end of the tool call. */
interface ShownPlan {
  plan: Plan
  /** The changes of the plan; null if they are too large to show. */
  comparison: Comparison | null
  answer: Answer
}

/** Renders a plan's changes and state, with a link to the page on which a person decides. */
function planView(surroundings: Surroundings, shown: ShownPlan): Page {
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

/** Returns the displayed state. An open plan is `outdated` if the shop has changed since the dry run. */
function stateOf({ plan: { state }, answer }: ShownPlan): string {
  if (state !== 'open') return state
  return answer.error?.type === 'plan_outdated' ? 'outdated' : 'waiting'
}

/** Renders why an open plan was not applied. Omits a missing right, because the page explains that in any case. */
function problemOf({ plan, comparison, answer }: ShownPlan): Page | null {
  if (plan.state !== 'open' || !answer.error || answer.error.type === 'permission_denied') return null
  const currencyOf = (key: string, field: string) => (comparison ? currencyIn(comparison, key, field) : null)
  return notApplied({ failure: { ...failureOf(answer, currencyOf), hint: null } })
}

/** Renders warnings. The one with the plan's id says how a program asks for a decision, so it is not shown to people. */
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
