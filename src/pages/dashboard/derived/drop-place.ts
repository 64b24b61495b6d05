import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'
import type { Visit } from '../kit/visit.ts'
import { CHANGE } from './nested-form.ts'

/**
 * A place in a part of a form to drop files. The script shows it, sends what is dropped, and then asks for the part anew.
 * `accept` are media types, as inputs name them.
 */
export function dropPlace({ base, csrf }: Visit, name: string, accept: string): Page {
  const type = accept === '' ? '' : html` accept="${accept}"`
  return html`<div data-controller="drop" data-drop-start-value="${base}/files/upload" data-drop-csrf-value="${csrf}" data-drop-name-value="${name}">
<label class="drop" data-drop-target="drop" data-action="dragover->drop#over dragleave->drop#leave drop->drop#drop" hidden><input class="unseen" type="file" multiple${type} data-drop-target="input" data-action="drop#choose"><strong>Choose files</strong> or drop them here</label>
<ul class="uploads" data-drop-target="list" aria-live="polite"></ul>
<button class="unseen" tabindex="-1" aria-hidden="true" name="${CHANGE}" value="show ${name}" formnovalidate data-drop-target="show" data-action="preview#change">Show</button></div>`
}
