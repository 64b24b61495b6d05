import { readFileSync } from 'node:fs'
import { html } from 'hono/html'
import { type Caller, isUser, type UserCaller } from '../../contract/declarations/caller.ts'
import type { Database } from '../../database/database.ts'
import { withHiddenShown } from '../../format/hidden-characters.ts'
import { findPlan } from '../../pipeline/program-plans.ts'
import type { Pipeline } from '../../pipeline/run.ts'
import { planComparison } from '../../resources/dashboard/plan-comparison/plan-comparison.ts'
import type { Tables } from '../../resources/tables.ts'
import type { Comparison } from '../dashboard/agents/comparison.ts'
import { doneOf, summaryOf } from '../dashboard/agents/words.ts'
import { callByName, shown } from '../dashboard/kit/call.ts'
import { Catalogue } from '../dashboard/kit/catalogue.ts'
import { operationCaller, readerFor } from '../dashboard/kit/visits.ts'
import type { Page } from '../parts/markup.ts'
import { BASE, sheets } from '../parts/stylesheet.ts'
import { type Answer, planView } from './plan-view.ts'

const COMMIT_SENTENCES: Record<NonNullable<Answer['committed']>, string> = {
  none: 'Nothing was changed.',
  partial: 'Changes made before the error were saved.',
  all: 'Its changes were saved.',
  batch: 'The changes of its batches so far were saved.',
  unknown: 'It is unknown whether its changes were saved.',
}

const STYLES = [
  ...BASE,
  ...sheets(import.meta.url, ...['base', 'buttons', 'cards', 'text', 'tables'].map(ofKit)),
  ...sheets(import.meta.url, '../dashboard/agents/plans', 'frame'),
]

/** Blocks all loading and sending, even if the client's own policy is looser. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

export interface PlanFrameParts {
  pipeline: Pipeline
  database: Database<Tables>
  /** The URL has no slash at the end. */
  publicUrl: string
  log: { error(details: object, message: string): void }
}

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

/** Returns null if the caller has no plan with this id. */
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

function ofKit(name: string): string {
  return `../dashboard/kit/styles/${name}`
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
