import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'

/** Renders a preview of the page that a form creates, as wide as a desktop or a phone. Links in the preview do nothing. */
export function previewPart(address: string, title: string): Page {
  return html`<section class="preview" aria-labelledby="preview"><header><h2 id="preview">Preview</h2><div class="preview-widths" role="radiogroup" aria-label="Width"><label><input type="radio" name="preview-width" value="desk" checked> Desktop</label><label><input type="radio" name="preview-width" value="phone"> Phone</label></div></header>
${previewSaid('preview')}<div class="preview-window"><iframe name="preview" loading="lazy" title="${title}" src="${address}" sandbox="allow-same-origin" data-preview-target="frame"></iframe></div></section>`
}

/** Renders the element in which the script reports why a preview is out of date. */
export function previewSaid(controller: 'preview' | 'networks'): Page {
  return html`<p class="preview-said" role="status" data-${controller}-target="said"></p>`
}
