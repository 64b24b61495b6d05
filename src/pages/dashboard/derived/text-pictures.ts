import { html } from 'hono/html'
import type { Page } from '../../parts/document.ts'
import { picksOf } from '../kit/pictures.ts'
import type { Visit } from '../kit/visit.ts'
import { anotherAddress, noneYet, picturePicks, sentPicture } from './file-inputs.ts'
import { CHANGE } from './nested-form.ts'

/** Names the text whose pictures are shown to choose from. */
const OFFERED = 'offered'
/** The names of what a picture is chosen with. */
const ADDRESS_OF = 'picture-of.'
const WORDS_OF = 'picture-words-of.'

/** A picture to put into a text: at its end by the server, or where the cursor is by the script of the editor. */
export async function pictureForText(visit: Visit, name: string, sent: URLSearchParams | null): Promise<Page> {
  const isOffered = sent?.get(OFFERED) === name
  const picks = await picturePicks(visit)
  const [id, address, words] = [`pictures-${name}`, `${ADDRESS_OF}${name}`, `${WORDS_OF}${name}`]
  const tiles =
    picks.length > 0
      ? picksOf({ kind: 'radio', name: address, id, label: 'Picture', picks, chosen: [] })
      : noneYet(visit, id)
  return html`<details class="text-picture" data-editor-target="picture"${isOffered ? html` open` : ''}><summary${isOffered ? html` autofocus` : ''}>Add a picture</summary>${tiles}${anotherAddress(address, id)}
<div class="field"><label for="${id}-words">Alternative text</label><p class="hint" id="${id}-words-hint">For people who cannot see it.</p><input type="text" id="${id}-words" name="${words}" maxlength="300" aria-describedby="${id}-words-hint" data-editor-target="words"></div>
<button class="small" name="${CHANGE}" value="picture ${name}" formnovalidate data-action="editor#insert">Add the picture</button></details>`
}

/** A form after its button was pressed: the picture is at the end of the text; where none was chosen, they are shown. */
export function withPicture(form: URLSearchParams, name: string): URLSearchParams {
  const src = sentPicture(form, `${ADDRESS_OF}${name}`) ?? ''
  const alt = form.get(`${WORDS_OF}${name}`) ?? ''
  const changed = new URLSearchParams(form)
  changed.delete(CHANGE)
  changed.delete(`${ADDRESS_OF}${name}`)
  changed.delete(`${WORDS_OF}${name}`)
  if (src === '') changed.set(OFFERED, name)
  else changed.set(name, `${form.get(name) ?? ''}${html`<p><img src="${src}" alt="${alt}"></p>`}`)
  return changed
}

/** Pictures for one of the texts in a list, of which there may be many: they are shown to choose from when they are asked for. */
export interface OfferedPictures {
  name: string
  chooser: Page
}

/** A form after pictures for a text were asked for. */
export function withOffered(form: URLSearchParams, name: string): URLSearchParams {
  const changed = new URLSearchParams(form)
  changed.delete(CHANGE)
  changed.set(OFFERED, name)
  return changed
}

/** The pictures that a form asked for, where that was for a text in one of these lists. */
export async function offeredIn(
  visit: Visit,
  list: string,
  sent: URLSearchParams | null,
): Promise<OfferedPictures | null> {
  const name = sent?.get(OFFERED) ?? ''
  return name.startsWith(`${list}.`) ? { name, chooser: await pictureForText(visit, name, sent) } : null
}

/** The choice of a picture for a text in a list, or the button that asks for it. Turbo puts the answer into the frame alone. */
export function pictureInList(name: string, offered: OfferedPictures | null): Page {
  const id = `picture-for-${name.replaceAll('.', '-')}`
  const ask = html`<div class="text-picture"><button class="small" name="${CHANGE}" value="pictures ${name}" formnovalidate data-turbo-frame="${id}" data-editor-target="offer">Add a picture</button></div>`
  return html`<turbo-frame id="${id}">${offered?.name === name ? offered.chooser : ask}</turbo-frame>`
}
