import { html } from 'hono/html'
import type { Shown } from '../../../resources/nouns.ts'
import { describedBy, field, optionTags, type Page, type Problem } from '../../parts/markup.ts'
import type { DashboardContext } from '../kit/visit.ts'
import { nameOf } from '../kit/words.ts'
import { REPEATS, USUAL_PLAN, WEEKDAYS } from './schedule-words.ts'

/** The inputs of a new task's form. */
export const USUAL_DRAFT = {
  ...USUAL_PLAN,
  ...{ name: '', description: '', prompt: '', trigger_type: 'schedule', scheduled_at: '', timezone: '' },
  ...{ event_types: [] as string[], event_source: '', emailed: false, supervised: true, active: true, expires_at: '' },
}

export type TaskDraft = typeof USUAL_DRAFT

export function draftOfForm(form: URLSearchParams): TaskDraft {
  const inputs = Object.entries(USUAL_DRAFT).map(([name, usual]) => {
    if (Array.isArray(usual)) return [name, form.getAll(name)]
    return [name, typeof usual === 'boolean' ? form.has(name) : (form.get(name) ?? '').replaceAll('\r\n', '\n')]
  })
  return Object.fromEntries(inputs)
}

interface TaskFormOptions {
  draft: TaskDraft
  problems: Problem[]
  eventTypes: Shown<'event_type'>[]
  sources: Shown<'event_source'>[]
  /** The hidden input with the form's idempotency key. */
  key: Page
  button: string
  back: string
}

const TRIGGERS: [value: string, words: string, hint: string][] = [
  ['manual', 'Once, now', 'Runs when you save it, and each time you turn it back on.'],
  ['schedule', 'On a schedule', 'Runs automatically on the schedule below.'],
  ['event', 'When something happens', 'Runs on each order, each new customer, or each event from another system.'],
]

export function taskForm(
  visit: DashboardContext,
  { draft, problems, eventTypes, sources, key, button, back }: TaskFormOptions,
): Page {
  const text = (name: 'name' | 'description', label: string, hint = '') =>
    input({ name, label, hint, problems }, (basics) => html`<input type="text" value="${draft[name]}" ${basics}>`)
  return html`<form class="card form" method="post" action="${visit.path}"><input type="hidden" name="csrf" value="${visit.csrf}">${key}
${text('name', 'Name')}
${input(
  {
    name: 'prompt',
    label: 'Instructions',
    hint: 'In plain words, for an agent to carry out. If the first line is "# ruby", the rest runs here as a program.',
    problems,
  },
  (basics) => html`<textarea rows="8" ${basics}>
${draft.prompt}</textarea>`,
)}
${text('description', 'Description', 'For your own reference.')}
<fieldset class="structured" id="field-trigger_type"><legend>When it runs</legend>${TRIGGERS.map(
    ([value, words, hint]) =>
      html`<p class="check"><label><input type="radio" name="trigger_type" value="${value}"${draft.trigger_type === value ? html` checked` : ''}> ${words}</label><span class="hint">${hint}</span></p>`,
  )}</fieldset>
${times(visit, draft, problems)}${events(draft, problems, eventTypes, sources)}
<fieldset class="structured"><legend>Options</legend>
${box('supervised', 'Ask me before it changes anything', draft.supervised)}${box('emailed', 'E-mail me the result of each run', draft.emailed)}${box('active', 'Active', draft.active)}
${input({ name: 'expires_at', label: 'Ends', hint: 'Leave empty for no end.', problems }, (basics) => html`<input type="datetime-local" value="${draft.expires_at}" ${basics}>`)}</fieldset>
<div class="form-buttons"><button class="primary">${button}</button><a class="button quiet" href="${back}">Cancel</a></div></form>`
}

interface Labelled {
  name: string
  label: string
  hint?: string
  problems: Problem[]
}

function input({ name, label, hint = '', problems }: Labelled, of: (basics: Page) => Page): Page {
  const id = `field-${name}`
  return field({
    id,
    label,
    hint,
    problems,
    input: () => of(html`id="${id}" name="${name}"${describedBy(id, hint, problems)}`),
  })
}

function box(name: string, words: string, checked: boolean): Page {
  return html`<p class="check"><label><input type="checkbox" name="${name}" value="true"${checked ? html` checked` : ''}> ${words}</label></p>`
}

function select(basics: Page, chosen: string, options: [value: string, words: string][]): Page {
  return html`<select ${basics}>${optionTags(options, chosen)}</select>`
}

function times(visit: DashboardContext, draft: TaskDraft, problems: Problem[]): Page {
  const days = Array.from({ length: 28 }, (_, index): [string, string] => [String(index + 1), String(index + 1)])
  return html`<fieldset class="structured task-times"><legend>Times</legend><p class="hint">Only for tasks on a schedule. Times are in the ${draft.timezone} time zone.</p>
<div class="columns">${input({ name: 'repeat', label: 'How often', problems }, (basics) => select(basics, draft.repeat, Object.entries(REPEATS)))}
${input({ name: 'time', label: 'At', problems }, (basics) => html`<input type="time" value="${draft.time}" ${basics}>`)}
${input({ name: 'weekday', label: 'Weekday, every week', problems }, (basics) =>
  select(
    basics,
    draft.weekday,
    WEEKDAYS.map((day, index) => [String(index), day]),
  ),
)}
${input({ name: 'day', label: 'Day, every month', problems }, (basics) => select(basics, draft.day, days))}
${input({ name: 'minutes', label: 'Minutes between runs', problems }, (basics) => html`<input type="text" inputmode="numeric" value="${draft.minutes}" ${basics}>`)}
${input({ name: 'scheduled_at', label: 'Date and time, once', problems }, (basics) => html`<input type="datetime-local" value="${draft.scheduled_at}" ${basics}>`)}</div>
<details class="different"${draft.repeat === 'cron' ? html` open` : ''}><summary>Cron expression</summary>${input({ name: 'cron', label: 'Minute, hour, day, month, weekday', hint: 'Such as 30 9 * * 1-5.', problems }, (basics) => html`<input type="text" spellcheck="false" value="${draft.cron}" ${basics}>`)}</details>
<input type="hidden" name="timezone" value="${draft.timezone === '' ? visit.account.timezone : draft.timezone}"></fieldset>`
}

function events(
  draft: TaskDraft,
  problems: Problem[],
  types: TaskFormOptions['eventTypes'],
  sources: TaskFormOptions['sources'],
): Page {
  const boxes = types.map(
    ({ name, description }) =>
      html`<label title="${name}"><input type="checkbox" name="event_types" value="${name}"${draft.event_types.includes(name) ? html` checked` : ''}> ${description.replace(/\.$/, '')}</label>`,
  )
  const options = sources.map((source): [string, string] => [source.id, nameOf(source)])
  return html`<fieldset class="structured task-events" id="field-event_types"><legend>Events</legend><p class="hint">Only for tasks that run when something happens.</p>
<details class="different"${draft.event_types.length > 0 ? html` open` : ''}><summary>Events of the shop</summary><div class="checks long-checks">${boxes}</div></details>
${input({ name: 'event_source', label: 'Event source', hint: 'Another system, feed or schedule that you have connected.', problems }, (basics) => select(basics, draft.event_source, [['', 'None'], ...options]))}</fieldset>`
}
