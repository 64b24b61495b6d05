import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'
import { picksOf } from '../kit/pictures.ts'
import type { DashboardContext } from '../kit/visit.ts'
import { anotherAddress, noneYet, picturePicks, sentPicture } from './file-inputs.ts'
import { CHANGE } from './nested-form.ts'

/** The form field that names the text whose picture chooser is open. */
const OFFERED = 'offered'
const ADDRESS_OF = 'picture-of.'
const WORDS_OF = 'picture-words-of.'
const DECORATES = 'picture-decorates.'

/** Shows a text's picture chooser. The editor's script inserts the picture at the cursor; without scripts, the server appends it. */
export async function pictureForText(
  visit: DashboardContext,
  name: string,
  sent: URLSearchParams | null,
): Promise<Page> {
  const isOffered = sent?.get(OFFERED) === name
  const picks = await picturePicks(visit)
  const [id, address, words] = [`pictures-${name}`, `${ADDRESS_OF}${name}`, `${WORDS_OF}${name}`]
  const tiles =
    picks.length > 0
      ? picksOf({
          kind: 'radio',
          name: address,
          id,
          label: 'Picture',
          picks,
          chosen: isOffered ? (sent?.getAll(address) ?? []) : [],
        })
      : noneYet(visit, id)
  return html`<details class="text-picture" data-start="${visit.base}/files/upload" data-csrf="${visit.csrf}" data-editor-target="picture"${isOffered ? html` open` : ''}><summary${isOffered ? html` autofocus` : ''}>Add a picture</summary>${tiles}${anotherAddress(address, id)}
<p class="field" data-editor-target="disk" hidden><label for="${id}-disk">From this device</label><input type="file" id="${id}-disk" accept="image/*" data-action="editor#fromDisk"><span class="hint" role="status" data-editor-target="sending"></span></p>
${alternativeText(`${id}-words`, words, `${DECORATES}${name}`, isOffered && (sent?.get(address) ?? '') !== '')}
<button class="small" name="${CHANGE}" value="picture ${name}" formnovalidate data-action="editor#insert">Add the picture</button></details>`
}

/** Renders the input for the alternative text, with a box for decorative pictures, which need none. */
function alternativeText(id: string, name: string, decorates: string, isMissing: boolean): Page {
  const problem = html`<p class="problem" id="${id}-problem"${isMissing ? '' : html` hidden`} data-editor-target="missing">Say what the picture shows, or that it is decorative.</p>`
  return html`<div class="field"><label for="${id}">Alternative text</label><p class="hint" id="${id}-hint">What it shows, for people who cannot see it.</p>${problem}<input type="text" id="${id}" name="${name}" maxlength="300" aria-describedby="${id}-hint ${id}-problem" data-editor-target="words">
<label class="check"><input type="checkbox" name="${decorates}" value="yes" data-editor-target="decorates"> Decorative: it says nothing that the text does not</label></div>`
}

/** Appends the chosen picture to the text, or opens the picture chooser if the picture or its alternative text is missing. */
export function withPicture(form: URLSearchParams, name: string): URLSearchParams {
  const src = sentPicture(form, `${ADDRESS_OF}${name}`) ?? ''
  const alt = (form.get(`${WORDS_OF}${name}`) ?? '').trim()
  const lacksWords = src !== '' && alt === '' && !form.has(`${DECORATES}${name}`)
  const changed = new URLSearchParams(form)
  changed.delete(CHANGE)
  if (lacksWords) {
    changed.set(OFFERED, name)
    return changed
  }
  changed.delete(`${ADDRESS_OF}${name}`)
  changed.delete(`${WORDS_OF}${name}`)
  changed.delete(`${DECORATES}${name}`)
  if (src === '') changed.set(OFFERED, name)
  else changed.set(name, `${form.get(name) ?? ''}${html`<p><img src="${src}" alt="${alt}"></p>`}`)
  return changed
}

/** The open picture chooser of a text in a list. It is rendered only on request, because a list may have many texts. */
export interface OfferedPictures {
  name: string
  chooser: Page
}

/** Opens the picture chooser of the text that the form's button names. */
export function withOffered(form: URLSearchParams, name: string): URLSearchParams {
  const changed = new URLSearchParams(form)
  changed.delete(CHANGE)
  changed.set(OFFERED, name)
  return changed
}

/** Returns the open picture chooser, or null if it belongs to another list. */
export async function offeredIn(
  visit: DashboardContext,
  list: string,
  sent: URLSearchParams | null,
): Promise<OfferedPictures | null> {
  const name = sent?.get(OFFERED) ?? ''
  return name.startsWith(`${list}.`) ? { name, chooser: await pictureForText(visit, name, sent) } : null
}

/** Shows the open picture chooser, or a button that opens it, in a frame that Turbo replaces alone. */
export function pictureInList(name: string, offered: OfferedPictures | null): Page {
  const id = `picture-for-${name.replaceAll('.', '-')}`
  const ask = html`<div class="text-picture"><button class="small" name="${CHANGE}" value="pictures ${name}" formnovalidate data-turbo-frame="${id}" data-editor-target="offer">Add a picture</button></div>`
  return html`<turbo-frame id="${id}">${offered?.name === name ? offered.chooser : ask}</turbo-frame>`
}
