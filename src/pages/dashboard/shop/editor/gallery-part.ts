import { html } from 'hono/html'
import { describedBy, field, type Page } from '../../../parts/markup.ts'
import { dropPlace, filesInput } from '../../derived/file-inputs.ts'
import { sentFiles } from '../../derived/file-order.ts'
import { inputId } from '../../derived/part-words.ts'
import { refusalOf } from '../../kit/ask.ts'
import { isPicture, pickOf, type ShownFile } from '../../kit/pictures.ts'
import type { Visit } from '../../kit/visit.ts'
import type { Sheet } from './inputs.ts'
import { ALT } from './rows.ts'

/** A list of files of the form: those that are there, and a place to drop more. */
interface FileList {
  name: 'media' | 'downloads'
  label: string
  hint: string
  /** What the place for dropping takes. */
  accept: string
}

export const PICTURES: FileList = {
  name: 'media',
  label: 'Pictures and videos',
  hint: 'The first picture is the cover, shown in shop lists and shared links. Use the arrows to change the order.',
  accept: 'image/*,video/*',
}

export const DOWNLOADS: FileList = {
  name: 'downloads',
  label: 'Files',
  hint: 'Whoever buys one of the prices can download them.',
  accept: '',
}

/** Files that are chosen, and a place to drop others. */
export async function filePart(sheet: Sheet, { name, label, hint, accept }: FileList): Promise<Page> {
  const { visit, form, problems } = sheet
  const id = inputId(name)
  const text = sentFiles(form, name).join('\n')
  const described = describedBy(id, hint, problems)
  const any = name === 'downloads' ? { fits: () => true } : {}
  const input = await filesInput(visit, { name, id, text, described, label, sent: form, ...any })
  return html`${dropPlace(visit, name, accept)}${field({ id, label, hint, problems, input: () => input })}`
}

/** What each chosen picture shows, for people who cannot see it. */
export async function alternativeTexts({ visit, form }: Sheet): Promise<Page> {
  const files = (await chosenFiles(visit, form)).filter(isPicture)
  if (files.length === 0) return html``
  const lines = files.map((file, index) => {
    const id = inputId(ALT + file.id)
    const text = form.get(ALT + file.id) ?? file.alternative_text ?? ''
    return html`<li><img src="${file.file_url}" alt="" loading="lazy" decoding="async" width="48" height="48"><label for="${id}"><span class="unseen">What picture ${index + 1}, ${pickOf(file).words}, shows</span></label><input id="${id}" name="${ALT + file.id}" value="${text}" maxlength="1000" placeholder="What this picture shows"></li>`
  })
  return html`<p class="label">Alternative texts</p><p class="hint">For people who cannot see the pictures, and for search engines.</p><ol class="alt-texts">${lines}</ol>`
}

/** The chosen pictures and videos, in their order. */
async function chosenFiles(visit: Visit, form: URLSearchParams): Promise<ShownFile[]> {
  const ids = sentFiles(form, 'media').slice(0, 50)
  const answers = await Promise.all(ids.map((id) => visit.ask('GET /files/{id}', { path: { id } })))
  return answers.flatMap((answer) => (refusalOf(answer) ? [] : [answer.body]))
}
