import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'

interface EditorOptions {
  text: string
  basics: Page
  label: string
  picture: Page
}

const BUTTONS: [command: string, words: string, label: string][] = [
  ['strong', 'B', 'Bold'],
  ['em', 'I', 'Italic'],
  ['h2', 'Heading', 'Heading'],
  ['h3', 'Subheading', 'Subheading'],
  ['bullets', 'List', 'List'],
  ['numbers', 'Numbered list', 'Numbered list'],
  ['quote', 'Quotation', 'Quotation'],
  ['link', 'Link', 'Link'],
  ['picture', 'Picture', 'Picture'],
  ['undo', 'Undo', 'Undo'],
  ['redo', 'Redo', 'Redo'],
]

/** Renders a text area with HTML, which a script turns into an editor. */
export function editor({ text, basics, label, picture }: EditorOptions): Page {
  const buttons = BUTTONS.map(
    ([command, words, name]) =>
      html`<button type="button" class="tool tool-${command}" data-action="editor#press" data-editor-command-param="${command}" aria-label="${name}" title="${name}">${words}</button>`,
  )
  return html`<div class="editor" data-controller="editor" data-action="focusin->editor#begin compositionstart->editor#compose compositionend->editor#compose">
<div class="tools" role="toolbar" aria-label="Format" data-editor-target="tools" hidden>${buttons}</div>
<div class="paper" data-editor-target="paper" hidden></div>
<textarea class="source" rows="14" spellcheck="true" data-editor-target="source" data-label="${label}" ${basics}>
${text}</textarea>
<p class="editor-foot"><button type="button" class="link" data-editor-target="toggle" data-action="editor#toggle" hidden>Write HTML</button>
<span class="hint" data-editor-target="note">Written as HTML, such as &lt;p&gt;, &lt;h2&gt;, &lt;ul&gt; and &lt;a&gt;.</span></p>${picture}</div>`
}
