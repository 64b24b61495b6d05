import { html } from 'hono/html'
import type { Page } from '../../parts/document.ts'
import type { Visit } from './visit.ts'

/** Leads to the search; with scripts, it opens the palette instead. */
export function searchLink({ base }: Visit): Page {
  return html`<a class="search-link" href="${base}/search" data-palette-opens><span>Search</span><kbd>Ctrl K</kbd></a>`
}

/** What Ctrl+K opens: a field over a list of what was found, or of the pages seen last while nothing is typed. */
export function palette({ base, person, membership }: Visit): Page {
  return html`<dialog class="palette" aria-label="Search" data-controller="palette" data-palette-address-value="${base}/search" data-palette-person-value="${person.userId} ${membership.accountId}"
data-action="keydown@document->palette#pressed click@document->palette#clicked turbo:before-cache@document->palette#leave close->palette#closed">
<form class="palette-form" role="search" action="${base}/search" data-action="submit->palette#submit">
<label class="unseen" for="palette-field">Search this account</label>
<input type="text" enterkeyhint="search" id="palette-field" name="q" maxlength="200" placeholder="Orders, customers, pages, actions…" autocomplete="off" autocapitalize="off" spellcheck="false"
role="combobox" aria-expanded="false" aria-controls="palette-list" aria-autocomplete="list" data-palette-target="field" data-action="input->palette#typed keydown->palette#moved">
</form>
<div class="palette-list" id="palette-list" role="listbox" aria-label="Results" data-palette-target="list" hidden></div>
<p class="palette-hint" data-palette-target="none" hidden></p>
<p class="palette-hint keys"><span><kbd>↑</kbd> <kbd>↓</kbd> choose</span> <span><kbd>Enter</kbd> open</span> <span><kbd>Esc</kbd> close</span></p>
<p class="unseen" role="status" data-palette-target="status"></p>
</dialog>`
}
