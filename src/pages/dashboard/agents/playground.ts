import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { html } from 'hono/html'
import type { Noun } from '../../../contract/declarations/noun.ts'
import { sentenceCase } from '../../../format/sentences.ts'
import type { Pipeline } from '../../../pipeline/run.ts'
import type { RunChanges } from '../../../resources/dashboard/program-run/program-run.ts'
import type { Shown } from '../../../resources/nouns.ts'
import { ALWAYS } from '../../parts/asset.ts'
import type { Page } from '../../parts/markup.ts'
import { framed } from '../kit/answers.ts'
import { refusalOf, shown } from '../kit/call.ts'
import { scriptAddress } from '../kit/stylesheet.ts'
import { code } from '../kit/value.ts'
import type { At, DashboardContext, DashboardPage } from '../kit/visit.ts'
import { changesTable } from './changes-table.ts'
import { jsonTree } from './code.ts'
import { failureOf } from './plan-parts.ts'

const WORDS: Record<string, string> = {
  search: 'Found',
  dry_run: 'Dry run: nothing was saved',
  execute: 'Done',
}

const HELPERS: [label: string, detail: string, info: string][] = [
  ['get', '(path, **query)', 'Reads one resource, or a page of a list.'],
  ['list', '(path, **filters)', 'Reads every row of a list.'],
  ['post', '(path, **body)', 'Creates a resource or performs an action.'],
  ['patch', '(path, **body)', 'Updates a resource.'],
  ['delete', '(path)', 'Deletes something.'],
  ['tools', 'in a search', 'Every operation: tools.search("give money back") returns the five best matches.'],
  ['resources', 'in a search', 'The fields of a resource: resources["customer"].'],
  ['puts', '(text)', 'Prints a line to the output.'],
  ['# dry_run: true', 'first line', 'Shows what it would change without saving anything.'],
  ['# once: ', 'first line', 'Runs at most once in 24 hours per key.'],
  ['# atomic: false', 'first line', 'Commits each call separately.'],
]

const FOLDER = new URL('../../../../examples/', import.meta.url)

const EXAMPLES: Example[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.rb'))
  .sort()
  .map((file) => {
    const code = readFileSync(new URL(file, FOLDER), 'utf8')
    return { name: file.slice(0, -'.rb'.length), words: firstSentence(code), code }
  })

const FIRST = 'get("/products")["data"].map { |product| product.slice("name", "status", "url") }\n'

interface PlaygroundPage {
  code: string
  played?: Played
  refusal?: string
  status?: number
}

export const playgroundPages: DashboardPage[] = [
  {
    path: '/playground',
    see: 'programs.run',
    get: async (visit) => page(visit, { code: await programOf(visit) }),
    post: play,
  },
  {
    path: '/playground/completions',
    see: 'programs.run',
    get: async ({ parts }) => completionsAnswer(completionsOf(parts.pipeline)),
  },
]

/** Returns the program that the query names: an example, or the code of a run or a plan. */
async function programOf({ query, call }: DashboardContext): Promise<string> {
  const [run, plan] = [query.get('run'), query.get('plan')]
  if (run) return (await shown(call('GET /runs/{id}', { path: { id: run } }))).code
  if (plan) return (await shown(call('GET /plans/{id}', { path: { id: plan } }))).code
  return EXAMPLES.find(({ name }) => name === query.get('example'))?.code ?? FIRST
}

async function play(visit: DashboardContext, _: At, form: URLSearchParams): Promise<Response> {
  const code = (form.get('code') ?? '').replaceAll('\r\n', '\n')
  const mode = form.get('mode') ?? 'dry_run'
  const answer = await visit.call('POST /playground', { body: { code, mode } })
  const refusal = refusalOf(answer)
  if (refusal) return page(visit, { code, refusal: refusal.message, status: answer.status })
  return page(visit, { code, played: { mode, ...answer.body } })
}

function page(visit: DashboardContext, { code, played, refusal, status = 200 }: PlaygroundPage): Promise<Response> {
  const nonce = randomBytes(16).toString('base64')
  const content = html`${examples(visit)}${editor(visit, code, nonce)}
<turbo-frame id="answer">${refusal ? html`<p class="notice bad" role="alert">${refusal}</p>` : ''}${played ? playedPage(visit, played) : ''}</turbo-frame>`
  const options = {
    title: 'Playground',
    lead: 'Programs run with your rights as one transaction: either everything is saved, or nothing is.',
    scripts: [scriptAddress('dashboard/playground')],
    nonce,
    // Requests from a Turbo frame get false, because Turbo cannot render a page into a frame if it must be loaded in full.
    own: visit.incoming.header('turbo-frame') === null,
  }
  return framed(visit, { ...options, status, nonce }, content)
}

function examples(visit: DashboardContext): Page {
  const asked = visit.query.get('example')
  const options = EXAMPLES.map(
    ({ name, words }) =>
      html`<option value="${name}" title="${words}"${name === asked ? html` selected` : ''}>${sentenceCase(name.replaceAll(/[-_]/g, ' '))}</option>`,
  )
  return html`<form class="examples" method="get" action="${visit.base}/playground" data-turbo="false">
<label for="example">Example</label><select id="example" name="example"><option value="">Choose a program…</option>${options}</select><button>Load</button></form>`
}

function editor({ base, csrf }: DashboardContext, code: string, nonce: string): Page {
  return html`<form class="playground" method="post" action="${base}/playground" data-turbo-frame="answer" data-controller="program"
data-program-nonce-value="${nonce}" data-program-completions-value="${base}/playground/completions">
<input type="hidden" name="csrf" value="${csrf}">
<label for="code" id="code-label">Program, in Ruby</label>
<textarea id="code" name="code" rows="16" spellcheck="false" autocapitalize="off" autocomplete="off" data-program-target="text">
${code}</textarea>
<div class="form-buttons"><button class="primary" name="mode" value="dry_run">Dry run</button>
<button name="mode" value="execute">Run</button><button name="mode" value="search">Search the catalogue</button></div>
<p class="hint">A dry run shows everything that would change and saves it as a plan. Run makes the changes immediately.</p></form>`
}

interface Example {
  name: string
  words: string
  code: string
}

function firstSentence(code: string): string {
  const words = /^#\s*(.+)/.exec(code)?.[1] ?? ''
  return words.split(/(?<=\.)\s/)[0] ?? words
}

interface Completion {
  label: string
  detail: string
  info: string
}

interface Completions {
  paths: Completion[]
  fields: Completion[]
  helpers: Completion[]
}

function completionsOf({ operations, nouns }: Pick<Pipeline, 'operations' | 'nouns'>): Completions {
  const byPath = Map.groupBy(operations, ({ path }) => path)
  const paths = [...byPath].map(([path, some]) => ({
    label: path,
    detail: some.map(({ method }) => method).join(', '),
    info: some.map(({ method, summary }) => `${method}: ${summary}`).join('\n'),
  }))
  const helpers = HELPERS.map(([label, detail, info]) => ({ label, detail, info }))
  return { paths, fields: fieldsOf(nouns), helpers }
}

/** Returns each field name once, with the resources that have it. */
function fieldsOf(nouns: Noun[]): Completion[] {
  const all = nouns.flatMap((noun) =>
    Object.entries(noun.fields).map(([name, { spec }]) => ({ name, noun: noun.name, description: spec.description })),
  )
  return [...Map.groupBy(all, ({ name }) => name)].map(([label, some]) => ({
    label,
    detail: some.length > 2 ? `${some.length} resources` : some.map(({ noun }) => noun).join(', '),
    info: some[0]!.description,
  }))
}

function completionsAnswer(completions: Completions): Response {
  const headers = { ...ALWAYS, 'Content-Type': 'application/json', 'Cache-Control': 'private, max-age=3600' }
  return new Response(JSON.stringify(completions), { headers })
}

interface Played extends Pick<Shown<'program_answer'>, 'failed' | 'answer'> {
  mode: string
}

function playedPage(visit: DashboardContext, { mode, failed, answer }: Played): Page {
  const { output, warnings = [], plan, changes = {}, changed, result } = answer
  return html`<section class="played" aria-labelledby="answer-heading" role="status">
<h2 id="answer-heading">${failed ? 'The program failed' : WORDS[mode]}</h2>
${failed ? failureNotice(answer) : ''}
${warnings.map((warning) => html`<p class="notice wait">${warning}</p>`)}
${plan === undefined ? '' : planLink(visit, plan)}
${Object.keys(changes).length > 0 ? html`<h3>What it would change</h3>${changesTable(visit, changes, { planned: true })}` : ''}
${changed ? html`<h3>What it changed</h3>${changesTable(visit, counted(changed))}` : ''}
${output === undefined ? '' : html`<h3>Printed</h3>${code(output, 'What the program printed')}`}
${failed ? '' : html`<h3>Result</h3>${jsonTree(result)}<details class="raw"><summary>As JSON</summary>${code(JSON.stringify(result ?? null, null, 2), 'The result as JSON')}</details>`}
</section>`
}

function failureNotice(answer: Played['answer']): Page {
  const { message, hint, line } = failureOf(answer)
  const source = answer.error?.source
  return html`<div class="notice bad"><p class="prose">${message}</p>
${line ? html`<p>Line ${line}${source ? html`: <code>${source}</code>` : ''}</p>` : ''}
${hint ? html`<p class="prose"><strong>How to fix it:</strong> ${hint}</p>` : ''}
<p>${answer.committed === 'partial' ? 'Changes made before the error were saved.' : 'Nothing was saved.'}</p></div>`
}

function planLink({ base }: DashboardContext, id: string): Page {
  return html`<p class="plan-link"><a class="button" href="${base}/plans/${encodeURIComponent(id)}" data-turbo-frame="_top">View the plan</a></p>`
}

function counted(changed: Record<string, number>): RunChanges {
  return Object.fromEntries(Object.entries(changed).map(([event, count]) => [event, { count }]))
}
