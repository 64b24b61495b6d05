import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'
import { refusalOf } from '../kit/call.ts'
import {
  type Choice,
  isMedium,
  isPicture,
  MOST_OFFERED,
  newestFiles,
  pickOf,
  picksOf,
  type ShownFile,
  thumbnail,
} from '../kit/pictures.ts'
import type { DashboardContext } from '../kit/visit.ts'
import { moveButtons, placeWords } from './file-order.ts'
import { CHANGE } from './nested-form.ts'

interface InputOptions {
  name: string
  id: string
  /** The chosen ids, one per line, or the chosen URL. */
  text: string
  described: Page | string
  label: string
}

interface FilesOptions extends InputOptions {
  sent: URLSearchParams | null
  /** Returns whether the field offers a file. The default depends on the field's name. */
  fits?(file: ShownFile): boolean
}

/** Functions that decide which files a field offers, by the field's name. Other fields offer all files. */
const FITTING: Record<string, (file: ShownFile) => boolean> = {
  media: (file) => isMedium(file) || file.kind === 'external_video',
}

/** Shows the chosen files in their order, with buttons to move them, then the newest files. Older files are entered by id. */
export async function filesInput(
  visit: DashboardContext,
  { name, id, text, described, label, sent, fits = FITTING[name] ?? (() => true) }: FilesOptions,
): Promise<Page> {
  const chosen = [...new Set(text.split('\n').flatMap((line) => line.trim() || []))]
  const all = await newestFiles(visit)
  const fitting = all.filter(fits)
  const own = await Promise.all(chosen.map(async (one) => all.find((file) => file.id === one) ?? fileOf(visit, one)))
  const shown = own.flatMap((file) => file ?? [])
  const picks = [...shown, ...fitting.filter((file) => !shown.includes(file)).slice(0, MOST_OFFERED)].map(pickOf)
  const unknown = chosen.filter((one) => !picks.some(({ value }) => value === one))
  const order = { name, chosen: picks.slice(0, shown.length), sent }
  const below = moveButtons(order)
  const boxes =
    picks.length > 0
      ? html`<div data-controller="order">${picksOf({ kind: 'checkbox', name, id, label, picks, chosen, described, below })}<p class="hint" role="status" data-order-target="said">${placeWords(order)}</p></div>`
      : noneYet(visit, id, described)
  return html`<input type="hidden" name="${name}" value="">${boxes}<details class="different"${unknown.length > 0 ? html` open` : ''}><summary>Other files</summary>
<label for="${id}-others">File ids, one per line</label><textarea id="${id}-others" name="${name}" rows="2" spellcheck="false">
${unknown.join('\n')}</textarea></details>`
}

async function fileOf(visit: DashboardContext, id: string): Promise<ShownFile | null> {
  const answer = await visit.call('GET /files/{id}', { path: { id } })
  return refusalOf(answer) ? null : answer.body
}

export function noneYet({ base }: DashboardContext, id: string, described: Page | string = ''): Page {
  return html`<p class="hint" id="${id}" tabindex="-1"${described}>There are no files yet. <a href="${base}/files">Upload files</a> first.</p>`
}

/** Renders a choice among the newest pictures and an input for the URL of another one, which takes precedence. */
export async function pictureInput(
  visit: DashboardContext,
  { name, id, text, described, label }: InputOptions,
): Promise<Page> {
  const picks = await picturePicks(visit)
  const isOther = text !== '' && !picks.some(({ value }) => value === text)
  const none: Choice = { value: '', words: 'No picture', thumbnail: html`<span aria-hidden="true">None</span>` }
  const other: Choice[] = isOther ? [{ value: text, words: 'Keep current', thumbnail: externalPicture(text) }] : []
  const all = [none, ...other, ...picks]
  return html`${picksOf({ kind: 'radio', name, id, label, picks: all, chosen: [text], described })}${anotherAddress(name, id)}`
}

function externalPicture(address: string): Page {
  return /^https?:\/\//i.test(address)
    ? html`<img src="${address}" alt="" loading="lazy" decoding="async">`
    : html`<span aria-hidden="true">${address.slice(0, 20)}</span>`
}

/** Returns the newest pictures as choices, whose values are URLs. */
export async function picturePicks(visit: DashboardContext): Promise<Choice[]> {
  const files = (await newestFiles(visit)).filter(isPicture).slice(0, MOST_OFFERED)
  return files.map((file) => ({ ...pickOf(file), value: file.file_url!, thumbnail: thumbnail(file) }))
}

export function anotherAddress(name: string, id: string): Page {
  return html`<details class="different"><summary>Another URL</summary><label for="${id}-address">Replaces the choice above</label><input type="url" id="${id}-address" name="${name}"></details>`
}

export function sentPicture(form: URLSearchParams, name: string): string | null {
  return form.getAll(name).findLast((one) => one.trim() !== '') ?? form.get(name)
}

/** Renders an area to drop files on, hidden without scripts. `accept` is the file input's attribute; empty accepts every file. */
export function dropPlace({ base, csrf }: DashboardContext, name: string, accept: string): Page {
  const type = accept === '' ? '' : html` accept="${accept}"`
  return html`<div data-controller="drop" data-drop-start-value="${base}/files/upload" data-drop-csrf-value="${csrf}" data-drop-name-value="${name}">
<label class="drop" data-drop-target="drop" data-action="dragover->drop#over dragleave->drop#leave drop->drop#drop" hidden><input class="unseen" type="file" multiple${type} data-drop-target="input" data-action="drop#choose"><strong>Choose files</strong> or drop them here</label>
<ul class="uploads" data-drop-target="list" aria-live="polite"></ul>
<button class="unseen" tabindex="-1" aria-hidden="true" name="${CHANGE}" value="show ${name}" formnovalidate data-drop-target="show" data-action="preview#change">Show</button></div>`
}
